// SPDX-License-Identifier: Apache-2.0
// A catalogue as it would be if some of its skills did not exist.
#pragma once

#include "skills/catalogue.hpp"

#include <functional>
#include <memory>

namespace skillhost {

// `catalogue` without the skills that `seen` denies: names are given out anew, so that a bare name
// does not tell of a hidden skill that had it; their files are gone from the skills they are nested
// in; sources that show nothing are not named, and no findings are. Keeps the generation. Returns
// `catalogue` itself when nothing is hidden.
std::shared_ptr<const Catalogue> viewOf(const std::shared_ptr<const Catalogue> &catalogue,
                                        const std::function<bool(const Skill &skill)> &seen);

// Whether two views show the same skills, under the same names, with the same files.
bool showTheSame(const Catalogue &a, const Catalogue &b);

} // namespace skillhost
