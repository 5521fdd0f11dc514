// SPDX-License-Identifier: Apache-2.0
#include "skills.hpp"

#include "failed_sources.hpp"
#include "ground/counted.hpp"
#include "ground/glob.hpp"
#include "ground/shown.hpp"
#include "ground/utf8.hpp"
#include "host.hpp"
#include "json_output.hpp"
#include "skill_digests.hpp"
#include "skillmd/requirements.hpp"
#include "skills/provenance.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

namespace skillhost::app {
namespace {

std::string firstLine(const std::string &text) {
  std::string line(cutUtf8(text.substr(0, text.find('\n')), 100));
  if (line.size() < text.size()) line += " …";
  return line;
}

// Returns the text before the description of a skill with this category; empty if it has none.
std::string categoryPrefix(const std::string &category) {
  return category.empty() ? std::string{} : '[' + shownLine(category) + "] ";
}

Json findingsJson(const std::vector<Finding> &findings) {
  Json all = Json::array();
  for (const Finding &finding : findings) all.push_back(render(finding));
  return all;
}

Json asJson(const CatalogueEntry &entry) {
  const Skill &skill = *entry.skill;
  Json out{{"name", entry.name},
           {"source", skill.source},
           {"path", skill.path},
           {"uri", skill.uri + "/SKILL.md"},
           {"folder", originFolder(skill)},
           {"description", skill.fields.description},
           {"estimated_tokens", skill.estimatedTokens},
           {"files", skill.filePaths},
           {"tools", true}, // always true; readers of this rely on the member
           {"extension", entry.listed},
           {"for_models", entry.isForModels()},
           {"for_users", entry.isForUsers()},
           {"by_id_only", entry.name == skill.id},
           {"front_matter", Json::parse(skill.fields.frontMatter)},
           {"findings", findingsJson(skill.findings)}};
  if (!skill.fields.category.empty()) out["category"] = skill.fields.category;
  return out;
}

Json factsJson(const Catalogue &catalogue, const Skill &skill) {
  const std::string facts = factsOf(catalogue, skill, LocalPaths::All);
  return facts.empty() ? Json::object() : Json::parse(facts);
}

bool matchesAny(const std::vector<std::string> &globs, const std::string &text) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string &one) {
           const Result<Glob> glob = Glob::compile(one);
           return glob && glob->matches(text);
         });
}

// Returns the visibility rules that apply to the skill: whoever satisfies one of them sees it.
// None: everybody sees it.
std::vector<VisibilityConfiguration> rulesOf(const Configuration &configuration,
                                             const Skill &skill) {
  std::vector<VisibilityConfiguration> rules;
  for (const VisibilityConfiguration &rule : configuration.access.visibility)
    if (matchesAny(rule.sources, skill.source) &&
        (skill.fields.isCategoryUnsure || matchesAny(rule.categories, skill.fields.category)))
      rules.push_back(rule);
  return rules;
}

Json asJson(const VisibilityConfiguration &rule) {
  return {{"scopes", rule.scopes}, {"principals", rule.principals}, {"issuers", rule.issuers}};
}

std::string asWords(const VisibilityConfiguration &rule) {
  std::string words;
  const auto add = [&](const char *what, const std::vector<std::string> &names) {
    for (const std::string &name : names)
      words += (words.empty() ? "" : ", ") + std::string(what) + ' ' + name;
  };
  add("scope", rule.scopes);
  add("principal", rule.principals);
  add("issuer", rule.issuers);
  return words.empty() ? "nobody" : words;
}

// The requirements that a skill states, and those that are missing or cannot be checked here.
struct Needs {
  std::string words; // empty: nothing
  std::vector<std::string> missing, unchecked;
};

Needs needsOf(const Catalogue &catalogue, const Skill &skill) {
  const Requirements needed = requirementsOf(Json::parse(skill.fields.frontMatter));
  Needs needs{requirementWords(needed), {}, needed.others};
  for (const Finding &finding : skill.findings)
    if (finding.code == requirementMissingCode) needs.missing.push_back(finding.message);
  for (const std::string &other : needed.skills)
    if (catalogue.byName(other) == nullptr)
      needs.missing.push_back("it needs the skill " + other + ", which is not served");
  for (const std::string &server : needed.servers)
    needs.unchecked.push_back("MCP server " + server);
  return needs;
}

// Details of one skill beyond those in a list. They require reading all its files.
struct Details {
  Json facts;
  std::string digest; // of all files; empty: unreadable now, see `why`
  std::uint64_t bytes = 0;
  std::string why;
  std::vector<VisibilityConfiguration> rules;
  Needs needs;
};

Details detailsOf(const Configuration &configuration, Library &library, const Catalogue &catalogue,
                  const std::shared_ptr<const Skill> &skill) {
  Details details;
  details.facts = factsJson(catalogue, *skill);
  details.rules = rulesOf(configuration, *skill);
  details.needs = needsOf(catalogue, *skill);
  const auto read = digestsOf(library, {skill}, configuration.deadlines.scan);
  if (!read || !read->front()) {
    details.why = read ? "a file cannot be read, or has changed" : read.failure().message;
    return details;
  }
  details.digest = digestOfAll(*skill, *read->front());
  for (const FileDigest &file : *read->front()) details.bytes += file.size;
  return details;
}

Json asJson(const CatalogueEntry &entry, const Details &details) {
  Json out = asJson(entry);
  out["facts"] = details.facts;
  out["digest"] = details.digest.empty() ? Json() : Json(details.digest);
  out["bytes"] = details.digest.empty() ? Json() : Json(details.bytes);
  if (!details.why.empty()) out["unreadable"] = details.why;
  out["seen_by"] = Json::array();
  for (const VisibilityConfiguration &rule : details.rules) out["seen_by"].push_back(asJson(rule));
  if (!details.needs.words.empty())
    out["needs"] = {{"words", details.needs.words},
                    {"missing", details.needs.missing},
                    {"unchecked", details.needs.unchecked}};
  return out;
}

void print(const Details &details) {
  for (const auto &[name, value] : details.facts.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    printShown(stdout, "  %-16s %s\n", name.c_str(), shownLine(text).c_str());
  }
  if (details.digest.empty())
    printShown(stdout, "  digest   not known: %s\n", shownLine(details.why).c_str());
  else
    printShown(stdout, "  digest   %s\n  size     %llu bytes\n", details.digest.c_str(),
               static_cast<unsigned long long>(details.bytes));
  for (const VisibilityConfiguration &rule : details.rules)
    printShown(stdout, "  seen by  %s\n", shownLine(asWords(rule)).c_str());
  if (details.rules.empty()) printShown(stdout, "  seen by  everybody who may read\n");
  if (details.needs.words.empty()) return;
  printShown(stdout, "  needs    %s\n", details.needs.words.c_str());
  for (const std::string &sentence : details.needs.missing)
    printShown(stdout, "  missing  %s\n", sentence.c_str());
  for (const std::string &other : details.needs.unchecked)
    printShown(stdout, "  not checked  %s\n", other.c_str());
}

// Returns true, and says so, if a filter withholds the skill.
bool isHeldBackSkill(Host &host, const std::string &name) {
  const std::optional<WithheldSkill> skill = findWithheld(host.withheld(), name);
  if (!skill) return false;
  const std::string id = shownLine(skill->id);
  printShown(stderr, "skillhost: %s is held back: %s; see skillhost review show %s\n", id.c_str(),
             shownLine(skill->reason).c_str(), id.c_str());
  return true;
}

// Returns true, and prints the finding, if a finding explains why the folder of that name is not
// served.
bool isRefusedSkill(const Catalogue &catalogue, const std::string &name) {
  constexpr std::string_view file = "/SKILL.md";
  for (const Finding &finding : catalogue.findings()) {
    if (finding.severity != Severity::Error) continue;
    std::string_view folder = finding.file;
    if (folder.ends_with(file)) folder.remove_suffix(file.size());
    if (folder != name && !folder.ends_with('/' + name)) continue;
    printShown(stderr, "skillhost: not served: %s\n", render(finding).c_str());
    return true;
  }
  return false;
}

void printHeldBack(Host &host) {
  const std::size_t held = host.withheld().size();
  if (held != 0)
    printShown(stdout, "%s held back for review: skillhost review list names %s\n",
               counted(held, "more skill").c_str(), held == 1 ? "it" : "them");
}

} // namespace

int listSkills(const Configuration &configuration, const std::string &executable, bool json) {
  Host host(configuration, executable, builtForHosts());
  host.waitUntilReady(false);
  const auto catalogue = host.library().catalogue();
  if (json) {
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
    printShown(stdout, "%-*s  %s%s\n", static_cast<int>(width), entry.name.c_str(),
               categoryPrefix(entry.skill->fields.category).c_str(),
               firstLine(entry.skill->fields.description).c_str());
  printShown(stdout, "%s\n", counted(catalogue->entries().size(), "skill").c_str());
  printHeldBack(host);
  for (const Finding &finding : catalogue->findings())
    if (finding.severity == Severity::Error)
      printShown(stdout, "not served: %s\n", render(finding).c_str());
    else if (finding.code == nameTakenCode)
      printShown(stdout, "by its id alone: %s\n", render(finding).c_str());
  return 0;
}

int showSkill(const Configuration &configuration, const std::string &executable,
              const std::string &name, bool json) {
  Host host(configuration, executable, builtForHosts());
  host.waitUntilReady(false);
  const auto catalogue = host.library().catalogue();
  const CatalogueEntry *const entry = catalogue->byName(name);
  if (entry == nullptr && (isHeldBackSkill(host, name) || isRefusedSkill(*catalogue, name)))
    return 1;
  if (entry == nullptr) {
    printShown(stderr, "skillhost: no skill is named \"%s\"; skillhost skill list names all\n",
               name.c_str());
    return 1;
  }
  const Details details = detailsOf(configuration, host.library(), *catalogue, entry->skill);
  if (json) {
    printJson(asJson(*entry, details));
    return details.why.empty() ? 0 : 1;
  }
  const Skill &skill = *entry->skill;
  printShown(stdout, "%s\n  %s\n  from     %s (%s)\n  URI      %s\n  tokens   about %zu\n",
             entry->name.c_str(), shownLine(skill.fields.description).c_str(), skill.source.c_str(),
             originFolder(skill).c_str(), (skill.uri + "/SKILL.md").c_str(), skill.estimatedTokens);
  if (!skill.fields.category.empty())
    printShown(stdout, "  category %s\n", shownLine(skill.fields.category).c_str());
  printShown(stdout, "  served   %s%s%s\n",
             entry->isForModels() ? "by the tools" : "to models by its exact name alone",
             entry->isForUsers() ? "" : ", not as a prompt",
             entry->listed ? ", in skills/list" : ", not in skills/list");
  print(details);
  for (const std::string &path : skill.filePaths)
    printShown(stdout, "  file     %s\n", shownLine(path).c_str());
  for (const Finding &finding : skill.findings) printShown(stdout, "%s\n", render(finding).c_str());
  return details.why.empty() ? 0 : 1;
}

} // namespace skillhost::app
