// SPDX-License-Identifier: Apache-2.0
// Decides before a request is answered whether that takes long: more than about a millisecond, or
// an answer of more than 64 KiB. Long requests run on the thread of LongRequests.
#pragma once

#include "mcp/call.hpp"

namespace skillhost::cost {

// Each function returns true if a request of one kind takes long. The table of methods in
// router.cpp names the function of each method. A call of a plugin never takes long, because it
// runs on the plugin's own threads.
bool isNeverLong(const Call &call);  // returns false
bool isAlwaysLong(const Call &call); // returns true
// By the number of skills that the caller sees.
bool isLongSkillList(const Call &call);
// By the number of tools of plugins, and of skills if these are tools.
bool isLongToolList(const Call &call);
// By the number of templates of resources that plugins have.
bool isLongTemplateList(const Call &call);
// By the size of the file that params.uri names.
bool isLongResource(const Call &call);
// By the number of files of the skill that params.uri names: by its SKILL.md or one of its folders.
bool isLongSkill(const Call &call);
// By the tool in params.name and its params.arguments.
bool isLongToolCall(const Call &call);
// By the size of the skill that params.name names.
bool isLongOlderToolCall(const Call &call);

} // namespace skillhost::cost
