// SPDX-License-Identifier: Apache-2.0
#include "skills/builder.hpp"

#include "places.hpp"

namespace skillhost {

std::shared_ptr<const Catalogue> buildCatalogue(std::uint64_t generation,
                                                const std::vector<SourceResult> &sources) {
  std::vector<CatalogueEntry> entries;
  std::vector<SourceStatus> statuses;
  std::vector<Finding> findings;
  Places places;
  for (const SourceResult &source : sources) {
    SourceStatus status{source.name, {}, 0, source.failure};
    if (source.skills) {
      status.revision = source.skills->revision;
      status.skills = source.skills->skills.size();
      for (const auto &[path, reasons] : source.skills->skipped)
        findings.insert(findings.end(), reasons.begin(), reasons.end());
      for (const auto &[path, skill] : source.skills->skills) {
        CatalogueEntry entry{skill, places.name(*skill, findings), skill->byExtension};
        if (!places.uri(*skill, findings)) entry.listed = false;
        entries.push_back(std::move(entry));
      }
    }
    statuses.push_back(std::move(status));
  }
  return std::make_shared<const Catalogue>(generation, std::move(entries), std::move(statuses),
                                           std::move(findings));
}

} // namespace skillhost
