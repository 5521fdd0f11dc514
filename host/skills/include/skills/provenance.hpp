// SPDX-License-Identifier: Apache-2.0
// The facts that a source states of a skill besides its documents (skh.facts/1): those about all
// its skills and those about one, together. Any thread.
#pragma once

#include "skills/catalogue.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// A source states the facts about all its skills under this name.
inline constexpr std::string_view allSkills = "*";

// Says which paths of this machine are included. ForReader is for a reader on this machine, who may
// use the files there. All is for an operator, who looks after them.
enum class LocalPaths : std::uint8_t { Hidden, ForReader, All };

// Returns the folder in which an operator finds the skill on this machine; empty if it lies in
// none. Readers get Skill::folder instead, if there is one.
std::string originFolder(const Skill &skill);

// Returns the text of a JSON object; empty if nothing is stated. A "path" that is common to all is
// continued by the skill's own path. With ForReader there is a "folder" too, if the skill has one
// for readers, and with All that of originFolder(). With Hidden there is no text that is a path of
// this machine.
std::string factsOf(const Catalogue &catalogue, const Skill &skill, LocalPaths paths);

} // namespace skillhost
