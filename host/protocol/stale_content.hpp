// SPDX-License-Identifier: Apache-2.0
// Takes what no catalogue names any more out of the cache. Keys hold revisions, so that it is never
// served; but it would take room until its time is over.
#pragma once

#include "runtime/cache.hpp"
#include "skills/catalogue.hpp"

#include <string>

namespace skillhost {

// Where the bytes of a document are kept; a rendered SKILL.md is under its skill's contentKey.
std::string documentKey(const Skill &skill, const Document &document);

void forgetStale(Cache &cache, const Catalogue &now, const Catalogue &before);

} // namespace skillhost
