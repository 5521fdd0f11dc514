// SPDX-License-Identifier: Apache-2.0
#include "skills/builder.hpp"

#include "places.hpp"

#include <algorithm>

namespace skillhost {
namespace {

constexpr std::size_t mostGone = 100'000;

std::string goneKey(const Skill &skill) { return skill.id + '\n' + skill.fields.toolName; }

const CatalogueEntry *sameIn(const Catalogue &catalogue, const Skill &skill) {
  const CatalogueEntry *const was = catalogue.byId(skill.id);
  return was != nullptr && was->skill->fields.toolName == skill.fields.toolName ? was : nullptr;
}

std::uint64_t since(const Skill &skill, std::uint64_t generation, const Catalogue *before,
                    const GoneNames *gone) {
  if (before == nullptr) return 0;
  if (const CatalogueEntry *const was = sameIn(*before, skill)) return was->since;
  if (gone == nullptr || gone->empty()) return generation;
  const auto had = gone->find(goneKey(skill));
  return had == gone->end() ? generation : had->second;
}

void remember(const Catalogue &before, const Catalogue &now, GoneNames &gone) {
  for (const CatalogueEntry &entry : before.entries())
    if (gone.size() < mostGone && sameIn(now, *entry.skill) == nullptr)
      gone.emplace(goneKey(*entry.skill), entry.since);
}

} // namespace

void markFirst(std::vector<SourceResult> &sources, const std::vector<SourceResult> &former) {
  for (SourceResult &source : sources)
    source.isFirst = std::none_of(former.begin(), former.end(), [&](const SourceResult &one) {
      return one.name == source.name && one.answered && one.skills;
    });
}

std::shared_ptr<const Catalogue> buildCatalogue(std::uint64_t generation,
                                                const std::vector<SourceResult> &sources,
                                                const Catalogue *before, GoneNames *gone,
                                                NameRule rule) {
  std::vector<CatalogueEntry> entries;
  std::vector<SourceStatus> statuses;
  std::vector<Finding> findings;
  Loading loading{false, 0, sources.size()};
  for (const SourceResult &source : sources) {
    loading.answered += source.answered ? 1 : 0;
    SourceStatus status{source.name, {}, 0, source.failure, source.absent};
    if (source.skills) {
      status.revision = source.skills->revision;
      status.skills = source.skills->skills.size();
      for (const auto &[path, reasons] : source.skills->skipped)
        findings.insert(findings.end(), reasons.begin(), reasons.end());
      for (const auto &[path, skill] : source.skills->skills) {
        const std::uint64_t from = source.isFirst ? 0 : since(*skill, generation, before, gone);
        entries.push_back({skill, {}, skill->byExtension, from});
      }
    }
    statuses.push_back(std::move(status));
  }
  loading.goesOn = loading.answered < loading.sources;
  givePlaces(entries, rule, findings);
  auto now = std::make_shared<const Catalogue>(generation, std::move(entries), std::move(statuses),
                                               std::move(findings), loading, rule);
  if (before != nullptr && gone != nullptr) remember(*before, *now, *gone);
  return now;
}

} // namespace skillhost
