// SPDX-License-Identifier: Apache-2.0
#include "skills/view.hpp"

#include "places.hpp"
#include "skills/source_skills.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skillhost {
namespace {

// Returns the skill without the hidden files of skills inside it. It has no folder, because that
// folder contains the hidden files too.
template <class IsHidden>
std::shared_ptr<Skill> withoutHidden(const Skill &skill, const IsHidden &isHidden) {
  auto seen = std::make_shared<Skill>();
  seen->id = skill.id;
  seen->source = skill.source;
  seen->path = skill.path;
  seen->uri = skill.uri;
  seen->fields = skill.fields;
  seen->facts = skill.facts;
  seen->notice = skill.notice;
  seen->isFiltered = skill.isFiltered;
  for (std::size_t i = 0; i < skill.files.size(); ++i) {
    if (isHidden(skill.files[i])) continue;
    if (i == skill.entryAt) seen->entryAt = seen->files.size();
    seen->files.push_back(skill.files[i]);
    seen->filePaths.push_back(skill.filePaths[i]);
  }
  // The key covers only the visible files: readers see if it is cached, and that must not change
  // with the hidden ones.
  seen->contentKey = contentKeyOf(*seen);
  seen->entryBytes = skill.entryBytes;
  seen->entryDigest = skill.entryDigest;
  seen->searchRevision = skill.searchRevision;
  seen->bodyOffset = skill.bodyOffset;
  seen->estimatedTokens = skill.estimatedTokens;
  seen->keepsRules = skill.keepsRules;
  seen->byExtension = skill.byExtension || (skill.keepsRules && !exceedsExtensionLimits(*seen));
  return seen;
}

} // namespace

std::shared_ptr<const Skill> asCopyIn(const Skill &skill, std::string folder) {
  auto there = withoutHidden(skill, [](const Document &) { return false; });
  there->folder = std::move(folder);
  there->notice += (skill.notice.empty() ? "" : "\n") +
                   std::string("The folder is a read-only copy that goes when the server ends: "
                               "write results elsewhere.");
  there->contentKey = skill.contentKey;
  return there;
}

std::shared_ptr<const Catalogue>
viewOf(const std::shared_ptr<const Catalogue> &catalogue,
       const std::function<bool(const Skill &skill)> &seen,
       const std::function<bool(const std::string &name)> &seenSource) {
  bool isWhole = true;
  std::vector<CatalogueEntry> entries;
  std::vector<Finding> unwanted;
  for (const CatalogueEntry &entry : catalogue->entries()) {
    std::shared_ptr<const Skill> skill = entry.skill;
    if (!seen(*skill)) {
      isWhole = false;
      continue;
    }
    // A skill inside it that is not served itself could be of any category.
    const auto isHidden = [&](const Document &file) {
      if (file.skill == entry.skill->path) return false;
      const CatalogueEntry *const inner = catalogue->byId(entry.skill->source + "/" + file.skill);
      if (inner != nullptr) return !seen(*inner->skill);
      Skill unserved;
      unserved.source = entry.skill->source;
      unserved.fields.isCategoryUnsure = true;
      return !seen(unserved);
    };
    if (std::any_of(skill->files.begin(), skill->files.end(), isHidden)) {
      isWhole = false;
      skill = withoutHidden(*skill, isHidden);
    }
    const bool isListed = skill->byExtension && !skill->fields.hiddenFromModels;
    entries.push_back({std::move(skill), {}, isListed, entry.since});
  }
  const auto &all = catalogue->sources();
  // A catalogue with findings is never returned itself: they must not come and go with hidden
  // skills.
  if (isWhole && catalogue->findings().empty() && !catalogue->loading().isInProgress &&
      std::all_of(all.begin(), all.end(),
                  [&](const SourceStatus &source) { return seenSource(source.name); }))
    return catalogue;
  assignNames(entries, catalogue->nameRule(), unwanted);
  std::vector<SourceStatus> sources;
  for (SourceStatus source : all) {
    source.skills = static_cast<std::size_t>(
        std::count_if(entries.begin(), entries.end(), [&](const CatalogueEntry &entry) {
          return entry.skill->source == source.name;
        }));
    if (source.skills != 0 || seenSource(source.name)) sources.push_back(std::move(source));
  }
  // A skill with a path could be served, but another skill has its name. Naming it here could
  // reveal a hidden skill.
  Catalogue::Skills leftOut;
  for (const std::shared_ptr<const Skill> &skill : catalogue->leftOut())
    if (skill->path.empty() && seen(*skill)) leftOut.push_back(skill);
  return std::make_shared<const Catalogue>(
      catalogue->generation(), std::move(entries), std::move(sources), std::vector<Finding>{},
      Loading{catalogue->loading().isInProgress, 0, 0}, catalogue->nameRule(), std::move(leftOut));
}

} // namespace skillhost
