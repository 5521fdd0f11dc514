// SPDX-License-Identifier: Apache-2.0
#include "commands/skills.hpp"

#include "commands/failed_sources.hpp"
#include "ground/counted.hpp"
#include "ground/shown.hpp"
#include "ground/utf8.hpp"
#include "host.hpp"

#include <algorithm>
#include <cstdio>

namespace skillhost::app {
namespace {

void printJson(const Json &json) {
  std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

std::string firstLine(const std::string &text) {
  std::string line(cutUtf8(text.substr(0, text.find('\n')), 100));
  if (line.size() < text.size()) line += " …";
  return line;
}

Json findingsJson(const std::vector<Finding> &findings) {
  Json all = Json::array();
  for (const Finding &finding : findings) all.push_back(render(finding));
  return all;
}

Json asJson(const CatalogueEntry &entry) {
  const Skill &skill = *entry.skill;
  return {{"name", entry.name},
          {"source", skill.source},
          {"path", skill.path},
          {"uri", skill.uri + "/SKILL.md"},
          {"folder", skill.folder},
          {"description", skill.fields.description},
          {"estimated_tokens", skill.estimatedTokens},
          {"files", skill.filePaths},
          {"tools", true}, // every skill is; readers of this rely on the member
          {"extension", entry.listed},
          {"by_id_only", entry.name == skill.id},
          {"front_matter", Json::parse(skill.fields.frontMatter)},
          {"findings", findingsJson(skill.findings)}};
}

} // namespace

int listSkills(const Invocation &invocation, const std::string &executable) {
  Host host(invocation.configuration, executable);
  host.waitUntilReady(false);
  const auto catalogue = host.library().catalogue();
  if (invocation.json) {
    Json skills = Json::array();
    for (const CatalogueEntry &entry : catalogue->entries()) skills.push_back(asJson(entry));
    printJson({{"skills", std::move(skills)}, {"findings", findingsJson(catalogue->findings())}});
    return reportAllFailed(*catalogue) ? 1 : 0;
  }
  if (reportAllFailed(*catalogue)) return 1;
  std::size_t width = 0;
  for (const CatalogueEntry &entry : catalogue->entries())
    width = std::max(width, std::min<std::size_t>(entry.name.size(), 40));
  for (const CatalogueEntry &entry : catalogue->entries())
    printShown(stdout, "%-*s  %s\n", static_cast<int>(width), entry.name.c_str(),
               firstLine(entry.skill->fields.description).c_str());
  printShown(stdout, "%s\n", counted(catalogue->entries().size(), "skill").c_str());
  for (const Finding &finding : catalogue->findings())
    if (finding.severity == Severity::Error)
      printShown(stdout, "not served: %s\n", render(finding).c_str());
    else if (finding.code == nameTakenCode)
      printShown(stdout, "by its id alone: %s\n", render(finding).c_str());
  return 0;
}

int showSkill(const Invocation &invocation, const std::string &executable) {
  Host host(invocation.configuration, executable);
  host.waitUntilReady(false);
  const auto catalogue = host.library().catalogue();
  const CatalogueEntry *const entry = catalogue->byName(invocation.skill);
  if (entry == nullptr) {
    printShown(stderr, "skillhost: no skill is named \"%s\"; skillhost skill list names all\n",
               invocation.skill.c_str());
    return 1;
  }
  if (invocation.json) {
    printJson(asJson(*entry));
    return 0;
  }
  const Skill &skill = *entry->skill;
  printShown(stdout, "%s\n  %s\n  from     %s (%s)\n  URI      %s\n  tokens   about %zu\n",
             entry->name.c_str(), shownLine(skill.fields.description).c_str(), skill.source.c_str(),
             skill.folder.c_str(), (skill.uri + "/SKILL.md").c_str(), skill.estimatedTokens);
  printShown(stdout, "  served   by the tools%s\n",
             entry->listed ? ", in skills/list" : ", not in skills/list");
  for (const std::string &path : skill.filePaths)
    printShown(stdout, "  file     %s\n", shownLine(path).c_str());
  for (const Finding &finding : skill.findings) printShown(stdout, "%s\n", render(finding).c_str());
  return 0;
}

} // namespace skillhost::app
