// SPDX-License-Identifier: Apache-2.0
#include "skills/builder.hpp"

#include <map>
#include <set>

namespace skillhost {
namespace {

Finding notice(const Skill &skill, std::string code, std::string message, std::string advice) {
  return {Severity::Warning,
          std::move(code),
          skill.entry.location.empty() ? skill.id : skill.entry.location,
          0,
          0,
          std::move(message),
          std::move(advice)};
}

// Gives out names and URIs in order: the first to ask has them.
class Places {
public:
  std::string name(const Skill &skill, std::vector<Finding> &findings) {
    const std::string &bare = skill.fields.name;
    if (!skill.byTools) return bare;
    const auto [owner, isFirst] = names_.emplace(bare, skill.id);
    if (isFirst) return bare;
    std::string qualified = skill.source + "/" + bare;
    // Several of one name in one source are told apart by number.
    for (int n = 2; !names_.emplace(qualified, skill.id).second; ++n)
      qualified = skill.source + "/" + bare + "-" + std::to_string(n);
    findings.push_back(notice(skill, "name-taken",
                              "the name \"" + bare + "\" belongs to " + owner->second +
                                  "; this one is served as \"" + qualified + "\"",
                              "give one of them another name"));
    return qualified;
  }

  bool uri(const Skill &skill, std::vector<Finding> &findings) {
    const auto [owner, isFirst] = uris_.emplace(skill.uri, skill.id);
    if (!isFirst)
      findings.push_back(notice(skill, "uri-taken",
                                "its URI " + skill.uri + " is that of " + owner->second,
                                "rename its folder"));
    return isFirst;
  }

private:
  std::map<std::string, std::string> names_, uris_; // what is taken -> by which skill
};

} // namespace

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
