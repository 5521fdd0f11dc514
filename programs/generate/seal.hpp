// SPDX-License-Identifier: Apache-2.0
// The digest in SKILL.md that identifies generated pages.
#pragma once

#include "generate/skill_pages.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The text in SKILL.md before the digest, and the placeholder for the digest.
inline constexpr std::string_view sealLabel = "  generated-digest: \"sha256:";
std::string openSeal();
// Replaces the placeholder by the digest of all pages, which must be sorted.
void seal(std::vector<SkillPage> &pages);

} // namespace skillhost
