// SPDX-License-Identifier: Apache-2.0
// Takes what no catalogue names any more out of the cache. Keys hold revisions, so that it is never
// served; but it would take room until its time is over.
#pragma once

#include "runtime/cache.hpp"
#include "skills/catalogue.hpp"
#include "skills/skill_heading.hpp"

#include <string>

namespace skillhost {

// Where the bytes of a document are kept, and a SKILL.md rendered for readers who get at the files
// that way.
std::string documentKey(const Skill &skill, const Document &document);
std::string renderedKey(const Skill &skill, Reach reach);

void forgetStale(Cache &cache, const Catalogue &now, const Catalogue &before);

} // namespace skillhost
