// SPDX-License-Identifier: Apache-2.0
// What a caller is told while not all skills are there yet, and of sources that failed.
#pragma once

#include "mcp/call.hpp"
#include "mcp/tool.hpp"
#include "skills/catalogue.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// `seen` is everywhere what the caller sees of the catalogue.

// Says in a result that is not whole that it is not, and which sources failed: each once a session,
// and always to who has none. `further`: why else it is not whole; empty: for no other reason.
void noteWhatIsMissing(const ToolCall &tool, const Catalogue &seen, ToolResult &result,
                       const std::string &further = {});
// For an answer that would be nothing at all: fails with an advice to come back when the skills are
// still loading, or when there are none because their sources failed. Else false, and nothing is
// done.
bool failForWantOfSkills(const ToolCall &tool, const Catalogue &seen);
// Fails with an advice to come back.
void failForNow(const ToolCall &tool, const Catalogue &seen, const std::string &words);
// Fails because the sources did, and says whether they are tried again.
void failForSources(const ToolCall &tool, const Catalogue &seen, std::string words,
                    std::string context = {});
// No skill is named so, or none yet.
void failUnknownSkill(const ToolCall &tool, const Catalogue &seen, std::string_view name);

// Outside of tools, for what is not found: fails with an advice to come back; false, and nothing is
// done, when all there is has been loaded.
bool failWhileLoading(const CallPointer &call, const Catalogue &seen);
// A list of the protocol. One that is not whole, or has no skills because every source failed, is
// not to be kept, and says why in its _meta.
void answerList(const CallPointer &call, Fragments members, const Catalogue &seen,
                Caching caching = cachedBriefly);

} // namespace skillhost
