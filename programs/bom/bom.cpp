// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"
#include "document.hpp"
#include "ground/counted.hpp"
#include "ground/read_file.hpp"
#include "ground/sha256.hpp"
#include "ground/shown.hpp"
#include "host.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "program.hpp"
#include "skill_digests.hpp"
#include "skills/provenance.hpp"
#include "started_plugins.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::size_t maxPluginBytes = std::size_t{1} << 30U;
constexpr std::size_t digestScheme = 7; // length of "sha256:"

// Returns the time of the bill: SOURCE_DATE_EPOCH if it is set, so that two equal bills are
// identical.
Result<std::int64_t> moment(const Surroundings &surroundings) {
  const std::string text = surroundings.variable("SOURCE_DATE_EPOCH");
  if (text.empty())
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  constexpr std::int64_t latest = 253'402'300'799; // the end of the year 9999
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0 || seconds > latest)
    return {Fault::InvalidInput,
            "SOURCE_DATE_EPOCH: must be a whole number of seconds since 1970, is \"" + text + '"'};
  return seconds;
}

// Returns author or metadata.author of the front matter.
std::vector<std::string> authorsOf(const Json &frontMatter) {
  for (const Json *const from :
       {&frontMatter, frontMatter.contains("metadata") ? &frontMatter["metadata"] : nullptr}) {
    if (from == nullptr || !from->is_object()) continue;
    const auto author = from->find("author");
    if (author != from->end() && author->is_string()) return {author->get<std::string>()};
  }
  return {};
}

BomSkill describe(const Catalogue &catalogue, const CatalogueEntry &entry,
                  const Manifest &manifest) {
  const Skill &skill = *entry.skill;
  BomSkill out;
  out.id = skill.id;
  out.name = entry.name;
  out.source = skill.source;
  out.uri = skill.uri + "/SKILL.md";
  out.version = skill.fields.version;
  out.description = skill.fields.description;
  out.licence = skill.fields.license;
  out.digest = digestOfAll(skill, manifest).substr(digestScheme);
  out.authors = authorsOf(Json::parse(skill.fields.frontMatter));
  for (std::size_t i = 0; i < manifest.size(); ++i)
    out.files.push_back({skill.filePaths[i], manifest[i].digest.substr(digestScheme),
                         manifest[i].size, skill.files[i].executable});
  const std::string facts = factsOf(catalogue, skill, LocalPaths::All);
  out.facts = facts.empty() ? Json::object() : Json::parse(facts);
  out.tokens = skill.estimatedTokens;
  out.findings = skill.findings.size();
  return out;
}

// Returns the plugins with an instance, each file once.
Result<std::vector<BomPlugin>> usedPlugins(PluginRegistry &registry) {
  std::map<std::pair<std::string, std::string>, BomPlugin> used; // by file and id
  for (const PluginDescription &plugin : describeStarted(registry)) {
    if (plugin.instance.empty() || plugin.file.empty() || plugin.id.empty()) continue;
    BomPlugin &one = used[{plugin.file, plugin.id}];
    one.instances.push_back(plugin.instance);
    if (!one.id.empty()) continue;
    const Result<std::string> bytes = readFile(plugin.file, maxPluginBytes, FileKind::Regular);
    if (!bytes) return {Fault::OperationFailed, plugin.file + ": " + bytes.failure().message};
    one.id = plugin.id;
    one.version = plugin.version;
    one.summary = plugin.summary;
    one.licence = plugin.licence;
    one.kind = plugin.kind;
    one.isolation = plugin.isolation;
    one.digest = sha256Hex(*bytes);
  }
  std::vector<BomPlugin> all;
  all.reserve(used.size());
  for (auto &[key, plugin] : used) all.push_back(std::move(plugin));
  return all;
}

void printTable(const Bom &bom) {
  std::size_t width = 4;
  for (const BomSkill &skill : bom.skills)
    width = std::max(width, std::min<std::size_t>(skill.name.size(), 40));
  for (const BomSkill &skill : bom.skills)
    printShown(stdout, "%-*s  %-10s  %-14s  %-16s  sha256:%s\n", static_cast<int>(width),
               skill.name.c_str(), skill.version.empty() ? "-" : shownLine(skill.version).c_str(),
               skill.licence.empty() ? "-" : shownLine(skill.licence).c_str(), skill.source.c_str(),
               skill.digest.c_str());
  for (const BomPlugin &plugin : bom.plugins)
    printShown(stdout, "%-*s  %-10s  %-14s  %-16s  sha256:%s\n", static_cast<int>(width),
               plugin.id.c_str(), shownLine(plugin.version).c_str(),
               shownLine(plugin.licence).c_str(), "plugin", plugin.digest.c_str());
  printShown(stdout, "%s, %s\n", counted(bom.skills.size(), "skill").c_str(),
             counted(bom.plugins.size(), "plugin").c_str());
}

// Adds all served skills. Returns false if something is missing, and reports that on stderr.
bool addSkills(const Catalogue &catalogue, const std::vector<ManifestPointer> &manifests,
               Bom &bom) {
  bool whole = true;
  for (std::size_t i = 0; i < manifests.size(); ++i) {
    const CatalogueEntry &entry = catalogue.entries()[i];
    if (manifests[i]) {
      bom.skills.push_back(describe(catalogue, entry, *manifests[i]));
      continue;
    }
    whole = false;
    printShown(stderr, "skillhost: left out: the files of %s cannot be read now\n",
               entry.skill->id.c_str());
  }
  for (const SourceStatus &source : catalogue.sources()) {
    if (source.failure.empty()) continue;
    whole = false;
    printShown(stderr, "skillhost: the source %s failed: %s\n", source.name.c_str(),
               std::string(source.reason()).c_str());
  }
  return whole;
}

// Returns 1 if a part is missing: a source failed, or the files of a skill cannot be read.
int printBom(const ParsedArguments &arguments, const Surroundings &surroundings) {
  if (arguments.has("--files") && !arguments.has("--json"))
    return programs::refuse(
        refusedArguments(arguments.commands, "--files is for the document that --json prints"));
  const Result<KnownConfiguration> known = knownConfiguration(arguments, surroundings);
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  const Result<std::int64_t> made = moment(surroundings);
  if (!made) return programs::refuse(made.failure());
  const Configuration &configuration = known->configuration;
  Host host(configuration, surroundings.executable, builtForHosts(), Host::Role::Inspector);
  host.waitUntilReady(false);
  const auto catalogue = host.library().catalogue();
  std::vector<std::shared_ptr<const Skill>> skills;
  for (const CatalogueEntry &entry : catalogue->entries()) skills.push_back(entry.skill);
  const auto manifests = digestsOf(host.library(), std::move(skills), configuration.deadlines.scan);
  if (!manifests) return programs::refuse(manifests.failure());
  Result<std::vector<BomPlugin>> plugins = usedPlugins(host.plugins());
  if (!plugins) return programs::refuse(plugins.failure());
  Bom bom{SKILLHOST_VERSION, *made, arguments.has("--files"), {}, *std::move(plugins)};
  const bool whole = addSkills(*catalogue, *manifests, bom);
  if (arguments.has("--json"))
    printJson(cycloneDx(std::move(bom)));
  else
    printTable(bom);
  return whole ? 0 : 1;
}

CommandDescription bomDescription() {
  CommandDescription command{
      "bom",
      "Print a bill of materials (BOM) of what is served: every skill with version, licence, "
      "origin and digest, and the plugins; exit code 1 if the list is incomplete.",
      true,
      {helpOption(),
       {{"--json"}, "", "Print a CycloneDX 1.6 document.", generalOptions},
       {{"--files"}, "", "With --json: name every file of the skills too.", generalOptions}}};
  command.position = 1100;
  return command;
}

} // namespace

CatalogueCommand bomCommand() { return {{bomDescription()}, printBom}; }

} // namespace skillhost::app
