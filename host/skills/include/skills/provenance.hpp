// SPDX-License-Identifier: Apache-2.0
// What a source states of a skill besides its documents (skh.facts/1): what it states of all of
// them alike and what it states of one, together. Any thread.
#pragma once

#include "skills/catalogue.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// What a source states of all its skills stands under this name among its facts.
inline constexpr std::string_view allSkills = "*";

// Says which paths of this machine are told. Told: a reader here may use what lies there. All: an
// operator looks after it.
enum class LocalPaths : std::uint8_t { Hidden, Told, All };

// Returns the folder in which an operator finds the skill on this machine; empty: it lies in none.
// Readers are told Skill::folder, if there is one.
std::string originFolder(const Skill &skill);

// The text of a JSON object; empty when nothing is stated. The "path" that is common to all is
// continued by the skill's own name. With Told there is "folder" too, if the skill has one for
// readers, with All that of originFolder(); with Hidden there is no text that is a path of this
// machine.
std::string factsOf(const Catalogue &catalogue, const Skill &skill, LocalPaths paths);

} // namespace skillhost
