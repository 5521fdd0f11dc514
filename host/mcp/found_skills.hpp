// SPDX-License-Identifier: Apache-2.0
// Converts the hits of a search to skills, and folds the copies of one skill into one.
#pragma once

#include "plugin/search.hpp"
#include "skills/catalogue.hpp"

#include <cstddef>
#include <cstdint>
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

// Returns the skills in the order of the hits, each copy with the first of its kind. Hits that the
// catalogue no longer has are left out: the index may be a moment behind it.
std::vector<FoundSkill> foldCopies(const Catalogue &catalogue, const std::vector<SearchHit> &hits);

// A line of text names no more copies than this.
inline constexpr std::size_t maxNamedCopies = 3;
// A search asks for no more hits than this when copies take the places of other skills.
inline constexpr std::uint32_t maxHits = 100;

// Returns "Also: team/pdf in the source team, and 4 more"; empty if there are no copies.
std::string copiesLine(const FoundSkill &found);

// Returns how many hits to ask for if `limit` hits had only `found` of the `wanted` skills. Hits
// cost time, and mostly it is enough to add as many as are missing. The second retry therefore asks
// for `maxHits` at once, so that one call searches three times at most.
std::uint32_t nextLimit(std::uint32_t wanted, std::uint32_t limit, std::size_t found);

} // namespace skillhost
