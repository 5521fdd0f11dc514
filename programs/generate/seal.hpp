// SPDX-License-Identifier: Apache-2.0
// The digest in SKILL.md by which generated pages are known again.
#pragma once

#include "generate/skill_pages.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// What stands in SKILL.md before the digest, and the digest until it is known.
inline constexpr std::string_view sealLabel = "  generated-digest: \"sha256:";
std::string openSeal();
// Puts the digest of all pages, which are sorted, in its place.
void seal(std::vector<SkillPage> &pages);

} // namespace skillhost
