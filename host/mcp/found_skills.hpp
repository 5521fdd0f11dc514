// SPDX-License-Identifier: Apache-2.0
// The hits of a search as skills, with the copies of one skill told as one.
#pragma once

#include "plugin/search.hpp"
#include "skills/catalogue.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct FoundSkill {
  const CatalogueEntry *entry; // of the catalogue that was searched
  SearchHit hit;
  std::vector<const CatalogueEntry *> copies; // further hits that are the same skill
};

// True if both are one skill: their SKILL.md has the same bytes, or the same name and description.
bool areCopies(const Skill &a, const Skill &b);

// In the order of the hits, each copy with the first of its kind. Hits that the catalogue does not
// have any more are left out: the index may be a moment behind it.
std::vector<FoundSkill> foldCopies(const Catalogue &catalogue, const std::vector<SearchHit> &hits);

// "Also: team/pdf in the source team", or empty.
std::string copiesLine(const FoundSkill &found);

} // namespace skillhost
