// SPDX-License-Identifier: Apache-2.0
// A catalogue as it would be if some of its skills did not exist.
#pragma once

#include "skills/catalogue.hpp"

#include <functional>
#include <memory>
#include <string>

namespace skillhost {

// `catalogue` without the skills that `seen` denies: names are given out anew, so that a bare name
// does not tell of a hidden skill that had it; their files are gone from the skills they are nested
// in; sources that show nothing and that `seenSource` denies are not named, and no findings are.
// While it loads nobody knows yet what will be hidden: how many sources there are is not said
// either. Keeps the generation. Returns `catalogue` itself when it has none of all this.
std::shared_ptr<const Catalogue>
viewOf(const std::shared_ptr<const Catalogue> &catalogue,
       const std::function<bool(const Skill &skill)> &seen,
       const std::function<bool(const std::string &name)> &seenSource);

// The same skill, for a reader who finds a copy of its files in that folder. It keeps its
// contentKey.
std::shared_ptr<const Skill> asCopyIn(const Skill &skill, std::string folder);

} // namespace skillhost
