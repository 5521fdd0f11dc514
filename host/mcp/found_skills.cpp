// SPDX-License-Identifier: Apache-2.0
#include "found_skills.hpp"

#include <algorithm>

namespace skillhost {

bool areCopies(const Skill &a, const Skill &b) {
  if (!a.entryDigest.empty() && a.entryDigest == b.entryDigest) return true;
  return a.fields.name == b.fields.name && a.fields.description == b.fields.description;
}

namespace {

bool isDifferent(const CatalogueEntry &entry, const FoundSkill &found) {
  const auto isSame = [&](const CatalogueEntry *one) {
    return areCopies(*one->skill, *entry.skill);
  };
  return !isSame(found.entry) && std::none_of(found.copies.begin(), found.copies.end(), isSame);
}

} // namespace

std::vector<FoundSkill> foldCopies(const Catalogue &catalogue, const std::vector<SearchHit> &hits) {
  std::vector<FoundSkill> all;
  for (const SearchHit &hit : hits) {
    const CatalogueEntry *const entry = catalogue.byId(hit.id);
    if (entry == nullptr) continue;
    const auto same = std::find_if_not(
        all.begin(), all.end(), [&](const FoundSkill &one) { return isDifferent(*entry, one); });
    if (same == all.end())
      all.push_back({entry, hit, {}});
    else
      same->copies.push_back(entry);
  }
  return all;
}

std::string copiesLine(const FoundSkill &found) {
  const std::size_t count = found.copies.size(), named = std::min(count, maxNamedCopies);
  std::string line;
  for (std::size_t i = 0; i < named; ++i) {
    const CatalogueEntry &copy = *found.copies[i];
    line += (line.empty() ? "Also: " : ", ") + copy.name + " in the source " + copy.skill->source;
  }
  return count == named ? line : line + ", and " + std::to_string(count - named) + " more";
}

std::uint32_t nextLimit(std::uint32_t wanted, std::uint32_t limit, std::size_t found) {
  if (limit != wanted) return maxHits;
  return std::min(limit + wanted - static_cast<std::uint32_t>(found), maxHits);
}

} // namespace skillhost
