// SPDX-License-Identifier: Apache-2.0
// Makes a catalogue that looks as if some of its skills did not exist.
#pragma once

#include "skills/catalogue.hpp"

#include <functional>
#include <memory>
#include <string>

namespace skillhost {

// Returns `catalogue` without the skills that `seen` denies. Names are given out again, so that a
// bare name does not reveal a hidden skill that had it. The files of hidden skills are removed from
// the skills around them, and so are those of skills that are not served, if `seen` denies a skill
// of an unsure category there. Sources that show nothing and that `seenSource` denies are left out,
// and so are all findings, and skills that lost their names to others. While it loads nobody knows
// yet what will be hidden, so the number of sources is left out too. Keeps the generation. Returns
// `catalogue` itself if none of this changes it.
std::shared_ptr<const Catalogue>
viewOf(const std::shared_ptr<const Catalogue> &catalogue,
       const std::function<bool(const Skill &skill)> &seen,
       const std::function<bool(const std::string &name)> &seenSource);

// Returns the same skill for a reader who finds a copy of its files in that folder. It keeps its
// contentKey.
std::shared_ptr<const Skill> asCopyIn(const Skill &skill, std::string folder);

} // namespace skillhost
