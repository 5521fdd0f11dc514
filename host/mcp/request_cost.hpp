// SPDX-License-Identifier: Apache-2.0
// Decides before a request is answered if that takes long: more than about a millisecond, or an
// answer of more than 64 KiB.
#pragma once

#include "mcp/call.hpp"

namespace skillhost::cost {

// These judge the cost of a request of each kind, by what the caller sees and what the request
// names. A call of a plugin is never long, because it runs on the plugin's own threads.
bool isShort(const Call &call);
bool isLong(const Call &call);
bool isLongSkillList(const Call &call); // grows with the skills that the caller sees
bool isLongToolList(const Call &call);  // the same if they are tools, and with the tools of plugins
bool isLongOfferList(const Call &call); // grows with what plugins offer
bool isLongResource(const Call &call);  // the size of the file that params.uri names
// Goes by the number of files of the skill whose SKILL.md, or a folder of which, params.uri names.
bool isLongSkill(const Call &call);
bool isLongToolCall(const Call &call);      // params.name and params.arguments
bool isLongOlderToolCall(const Call &call); // the size of the skill that params.name names

} // namespace skillhost::cost
