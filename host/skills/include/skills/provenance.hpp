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

// Whether a reader is told which paths the skills have on this machine.
enum class LocalPaths : std::uint8_t { Hidden, Told };

// The text of a JSON object; empty when nothing is stated. The "path" that is common to all is
// continued by the skill's own name. With Told there is "folder" too, where the skill has one; with
// Hidden there is no text that is a path of this machine.
std::string factsOf(const Catalogue &catalogue, const Skill &skill, LocalPaths paths);

} // namespace skillhost
