// SPDX-License-Identifier: Apache-2.0
// A catalogue as it would be if some of its skills did not exist.
#pragma once

#include "skills/catalogue.hpp"

#include <functional>
#include <memory>

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

} // namespace skillhost
