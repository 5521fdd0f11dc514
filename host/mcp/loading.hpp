// SPDX-License-Identifier: Apache-2.0
// Tells a caller that not all skills are there yet, and which sources failed.
#pragma once

#include "mcp/call.hpp"
#include "mcp/tool.hpp"
#include "skills/catalogue.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// `seen` is everywhere the caller's view of the catalogue.

// Says in an incomplete result that it is incomplete, and which sources failed: each once in a
// session, and always to a caller without one. `further` is another reason why it is incomplete;
// empty if there is none.
void noteWhatIsMissing(const ToolCall &tool, const Catalogue &seen, ToolResult &result,
                       const std::string &further = {});
// For an answer that would be empty: fails with the advice to come back if the skills are still
// loading, or if there are none because their sources failed. Otherwise returns false and does
// nothing.
bool failWithoutSkills(const ToolCall &tool, const Catalogue &seen);
// Fails with the advice to come back.
void failTemporarily(const ToolCall &tool, const Catalogue &seen, const std::string &words);
// Fails because the sources did, and says if they are tried again.
void failForSources(const ToolCall &tool, const Catalogue &seen, std::string words,
                    std::string context = {});
// Fails because no skill has that name, or none has it yet.
void failUnknownSkill(const ToolCall &tool, const Catalogue &seen, std::string_view name);

// Outside of tools, for something that was not found: fails with the advice to come back. Returns
// false, and does nothing, if everything has been loaded.
bool failWhileLoading(const CallPointer &call, const Catalogue &seen);
// Answers with a list of the protocol. A client must not keep an incomplete list, or one without
// skills because every source failed; its _meta then says why. skills/list does so for each failed
// source, and for each skill that cannot be read now, so that a copy of the skills does not lose
// them. `unread` names the skills that the method itself could not read.
void answerList(const CallPointer &call, Fragments members, const Catalogue &seen,
                Caching caching = cachedBriefly, std::vector<std::string> unread = {});

} // namespace skillhost
