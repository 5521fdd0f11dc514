// SPDX-License-Identifier: Apache-2.0
// Tells a caller that some sources have not listed their skills yet, and which sources failed.
#pragma once

#include "mcp/call.hpp"
#include "mcp/tool.hpp"
#include "skills/catalogue.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// A skill that a list leaves out, and the code of a finding that says why.
struct LeftOutSkill {
  std::shared_ptr<const Skill> skill;
  std::string why;
};

// In all functions, `seen` is the caller's view of the catalogue.

// Adds to an incomplete result that it is incomplete, and which sources failed. Names each failed
// source once in a session, and always to a caller without a session. `further` is another reason
// why the result is incomplete; empty if there is none.
void noteWhatIsMissing(const ToolCall &tool, const Catalogue &seen, ToolResult &result,
                       const std::string &further = {});
// Call it if the answer would be empty. If the skills are still loading, or if there are none
// because their sources failed, it fails the call with the advice to try again, and returns true.
// Otherwise it returns false and does nothing.
bool failWithoutSkills(const ToolCall &tool, const Catalogue &seen);
// Fails the call with the advice to try again.
void failTemporarily(const ToolCall &tool, const Catalogue &seen, const std::string &words);
// Fails the call because sources failed, and says whether the server tries these again.
void failForSources(const ToolCall &tool, const Catalogue &seen, std::string words,
                    std::string context = {});
// Fails the call because no skill has that name, or because its source has not been listed yet.
void failUnknownSkill(const ToolCall &tool, const Catalogue &seen, std::string_view name);

// For methods other than tools/call that have not found something: fails the call with the advice
// to try again, and returns true, while skills are loading. Otherwise returns false and does
// nothing.
bool failWhileLoading(const CallPointer &call, const Catalogue &seen);
// Answers with a list of the protocol. If sources are loading or have failed, or files cannot be
// read now, its _meta says so, and a client must not keep the list. skills/list also names the
// skills with a lasting fault, so that a copy of the skills does not lose them; a client may keep
// that list. The other lists name failures only if every source failed. `leftOut` are further
// skills.
void answerList(const CallPointer &call, Fragments members, const Catalogue &seen,
                Caching caching = cachedBriefly, std::vector<LeftOutSkill> leftOut = {});

} // namespace skillhost
