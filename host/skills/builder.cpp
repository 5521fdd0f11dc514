// SPDX-License-Identifier: Apache-2.0
#include "skills/builder.hpp"

#include "common_facts.hpp"
#include "ground/counted.hpp"
#include "places.hpp"
#include "skills/finding_summary.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t maxFormerNames = 100'000;

std::string goneKey(const Skill &skill) { return skill.id + '\n' + skill.fields.toolName; }

// Finds the skills of a catalogue in another one, fast if that has most of them in the same order.
class SameSkills {
public:
  explicit SameSkills(const Catalogue &catalogue) : catalogue_(catalogue) {}

  // Finds the skill under the name it has; null if there is none.
  const CatalogueEntry *find(const std::shared_ptr<const Skill> &skill) {
    const std::vector<CatalogueEntry> &all = catalogue_.entries();
    if (next_ < all.size() && all[next_].skill == skill) return &all[next_++];
    const CatalogueEntry *const found = catalogue_.byId(skill->id);
    if (found == nullptr) return nullptr;
    next_ = static_cast<std::size_t>(found - all.data()) + 1;
    return found->skill->fields.toolName == skill->fields.toolName ? found : nullptr;
  }

private:
  const Catalogue &catalogue_;
  std::size_t next_ = 0; // where to look first for the next one
};

std::shared_ptr<const CommonFacts> commonFactsOf(const SourceSkills &source) {
  const auto found = source.facts.find(std::string(allSkills));
  return found == source.facts.end() ? nullptr : std::make_shared<const CommonFacts>(found->second);
}

std::uint64_t sinceOfNew(const Skill &skill, std::uint64_t generation, const GoneNames *gone) {
  if (gone == nullptr || gone->empty()) return generation;
  const auto had = gone->find(goneKey(skill));
  return had == gone->end() ? generation : had->second;
}

void remember(const Catalogue &before, const Catalogue &now, GoneNames &gone) {
  SameSkills same(now);
  for (const CatalogueEntry &entry : before.entries())
    if (gone.size() < maxFormerNames && same.find(entry.skill) == nullptr)
      gone.emplace(goneKey(*entry.skill), entry.since);
}

// Stands for a skill whose SKILL.md cannot be used.
std::shared_ptr<const Skill> unusable(const std::string &source, const std::string &path,
                                      const std::vector<Finding> &reasons) {
  auto skill = std::make_shared<Skill>();
  skill->id = source + "/" + path;
  skill->source = source;
  skill->fields.name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
  skill->fields.isCategoryUnsure = true;
  skill->findings = reasons;
  return skill;
}

// Removes each skill that did not get its own name and may be served under no other.
void removeNameless(std::vector<CatalogueEntry> &entries, std::vector<SourceStatus> &sources,
                    Catalogue::Skills &leftOut) {
  std::erase_if(entries, [&](const CatalogueEntry &entry) {
    if (!entry.name.empty() || !entry.skill->fields.mustKeepName) return false;
    leftOut.push_back(entry.skill);
    for (SourceStatus &source : sources)
      if (source.name == entry.skill->source) --source.skills;
    return true;
  });
}

// Makes one warning for all skills of a source in folders that are usually not meant.
void noteSideFolders(const SourceSkills &source, std::vector<Finding> &findings) {
  const Skill *first = nullptr;
  std::size_t count = 0;
  std::set<std::string_view> folders;
  for (const auto &[path, skill] : source.skills) {
    const std::string_view folder = sideFolderOf(*skill);
    if (folder.empty()) continue;
    if (count++ == 0) first = skill.get();
    folders.insert(folder);
  }
  if (first == nullptr) return;
  std::string names, globs;
  for (const std::string_view folder : folders) {
    (names += names.empty() ? "" : ", ") += folder;
    ((((globs += globs.empty() ? "" : ", ") += '"') += source.source + "/**/") += folder) +=
        "/**\"";
  }
  const std::string &place = first->entry().location;
  findings.push_back({Severity::Warning, sideFolderCode, place.empty() ? first->id : place, 0, 0,
                      counted(count, "skill") + " of " + source.source +
                          (count == 1 ? " lies" : " lie") +
                          " in folders of copies, templates or tests (" + names + "), and " +
                          (count == 1 ? "is" : "are") + " served like any other",
                      "leave them out by exclude_skills: [" + globs + "]"});
}

} // namespace

void markFirst(std::vector<SourceResult> &sources, const std::vector<SourceResult> &former) {
  for (SourceResult &source : sources)
    source.isFirst = std::none_of(former.begin(), former.end(), [&](const SourceResult &one) {
      return one.name == source.name && one.hasAnswered && one.skills;
    });
}

std::shared_ptr<const Catalogue> buildCatalogue(std::uint64_t generation,
                                                const std::vector<SourceResult> &sources,
                                                const Catalogue *before, GoneNames *gone,
                                                NameRule rule) {
  std::vector<CatalogueEntry> entries;
  std::vector<SourceStatus> statuses;
  std::vector<Finding> findings;
  Catalogue::Skills leftOut;
  Loading loading{false, 0, sources.size()};
  std::optional<SameSkills> same;
  if (before != nullptr) same.emplace(*before);
  const auto since = [&](const std::shared_ptr<const Skill> &skill) -> std::uint64_t {
    if (!same) return 0;
    const CatalogueEntry *const was = same->find(skill);
    return was != nullptr ? was->since : sinceOfNew(*skill, generation, gone);
  };
  for (const SourceResult &source : sources) {
    loading.answered += source.hasAnswered ? 1 : 0;
    SourceStatus status{source.name, {}, 0, source.failure, source.isAbsent, nullptr, source.fault};
    if (source.skills) {
      status.revision = source.skills->revision;
      status.skills = source.skills->skills.size();
      status.facts = commonFactsOf(*source.skills);
      for (const auto &[path, reasons] : source.skills->skipped) {
        findings.insert(findings.end(), reasons.begin(), reasons.end());
        // A skill that a filter refuses is left out on purpose.
        if (!reasons.empty() && reasons.front().command.empty())
          leftOut.push_back(unusable(source.name, path, reasons));
      }
      noteSideFolders(*source.skills, findings);
      for (const auto &[path, skill] : source.skills->skills) {
        const bool isListed = skill->byExtension && !skill->fields.hiddenFromModels;
        entries.push_back({skill, {}, isListed, source.isFirst ? 0 : since(skill)});
      }
    }
    statuses.push_back(std::move(status));
  }
  loading.isInProgress = loading.answered < loading.sources;
  assignNames(entries, rule, findings);
  removeNameless(entries, statuses, leftOut);
  auto now =
      std::make_shared<const Catalogue>(generation, std::move(entries), std::move(statuses),
                                        std::move(findings), loading, rule, std::move(leftOut));
  if (before != nullptr && gone != nullptr) remember(*before, *now, *gone);
  return now;
}

} // namespace skillhost
