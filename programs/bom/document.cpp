// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include "ground/sha256.hpp"
#include "ground/time_text.hpp"
#include "package_url.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace skillhost::app {
namespace {

constexpr const char *subject = "skillhost"; // its bom-ref

// The SPDX licences that skills use. Any other text becomes a name, which means the same.
constexpr std::array<std::string_view, 25> spdxLicences{
    "0BSD",         "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0",    "BSD-2-Clause",
    "BSD-3-Clause", "BSL-1.0",       "CC-BY-4.0",         "CC-BY-SA-4.0",  "CC0-1.0",
    "EPL-2.0",      "GPL-2.0-only",  "GPL-2.0-or-later",  "GPL-3.0-only",  "GPL-3.0-or-later",
    "ISC",          "LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later",
    "MIT",          "MIT-0",         "MPL-2.0",           "Unlicense",     "Zlib"};

constexpr std::array<std::string_view, 10> scriptEndings{".bash", ".js", ".mjs", ".pl", ".ps1",
                                                         ".py",   ".rb", ".sh",  ".ts", ".zsh"};

Json licences(const std::string &licence) {
  const bool isKnown =
      std::find(spdxLicences.begin(), spdxLicences.end(), licence) != spdxLicences.end();
  return Json::array({{{"license", {{isKnown ? "id" : "name", licence}}}}});
}

bool isProgram(const BomFile &file) {
  return file.executable ||
         std::any_of(scriptEndings.begin(), scriptEndings.end(),
                     [&](std::string_view ending) { return file.path.ends_with(ending); });
}

Json hashOf(const std::string &digest) {
  return Json::array({{{"alg", "SHA-256"}, {"content", digest}}});
}

void addProperty(Json &to, const std::string &name, const std::string &value) {
  if (!value.empty()) to.push_back({{"name", "skillhost:" + name}, {"value", value}});
}

// Sorted by name, so that equal facts make equal text.
Json propertiesOf(const BomSkill &skill) {
  std::map<std::string, std::string> facts;
  for (const auto &[name, value] : skill.facts.items())
    facts[name] = value.is_string() ? value.get<std::string>() : value.dump();
  Json properties = Json::array();
  addProperty(properties, "source", skill.source);
  addProperty(properties, "uri", skill.uri);
  addProperty(properties, "estimated_tokens", std::to_string(skill.tokens));
  addProperty(properties, "findings", std::to_string(skill.findings));
  for (const auto &[name, value] : facts) addProperty(properties, "fact:" + name, value);
  return properties;
}

constexpr std::string_view sha256 = "sha256:";

Json referencesOf(const Json &facts) {
  Json references = Json::array();
  const auto add = [&](const char *type, const std::string &url, const std::string &digest,
                       const std::string &comment) {
    if (url.empty()) return;
    Json one{{"type", type}, {"url", url}};
    if (!comment.empty()) one["comment"] = comment;
    if (digest.starts_with(sha256)) one["hashes"] = hashOf(digest.substr(sha256.size()));
    references.push_back(std::move(one));
  };
  const std::string commit = factText(facts, "commit");
  add("vcs", asUri(factText(facts, "repository")), "", commit.empty() ? "" : "commit " + commit);
  add("distribution", factText(facts, "archive"), factText(facts, "archive_digest"), "");
  if (const std::string reference = factText(facts, "reference"); !reference.empty())
    add("distribution", "oci://" + reference, factText(facts, "manifest_digest"),
        "the digest is that of the manifest");
  add("other", factText(facts, "index"), factText(facts, "index_digest"), "the index");
  return references;
}

// Returns the front matter's version, or else the version at the skill's origin.
std::string versionOf(const BomSkill &skill) {
  for (const std::string &version :
       {skill.version, factText(skill.facts, "version"), factText(skill.facts, "commit")})
    if (!version.empty()) return version;
  return factText(skill.facts, "manifest_digest");
}

Json filesOf(const BomSkill &skill) {
  Json files = Json::array();
  for (const BomFile &file : skill.files)
    files.push_back(
        {{"type", "file"},
         {"bom-ref", "file:" + skill.id + "//" + file.path},
         {"name", file.path},
         {"hashes", hashOf(file.digest)},
         {"properties", {{{"name", "skillhost:bytes"}, {"value", std::to_string(file.size)}}}}});
  return files;
}

Json componentOf(const BomSkill &skill, bool withFiles) {
  const bool runs = std::any_of(skill.files.begin(), skill.files.end(), &isProgram);
  Json one{{"type", runs ? "application" : "data"},
           {"bom-ref", "skill:" + skill.id},
           {"group", skill.source},
           {"name", skill.name}};
  if (const std::string supplier = supplierOf(skill.facts); !supplier.empty())
    one["supplier"] = {{"name", supplier}};
  if (!skill.authors.empty()) {
    one["authors"] = Json::array();
    for (const std::string &author : skill.authors) one["authors"].push_back({{"name", author}});
  }
  if (const std::string version = versionOf(skill); !version.empty()) one["version"] = version;
  if (!skill.description.empty()) one["description"] = skill.description;
  one["hashes"] = hashOf(skill.digest);
  if (!skill.licence.empty()) one["licenses"] = licences(skill.licence);
  if (const std::string purl = packageUrl(skill.name, skill.facts); !purl.empty())
    one["purl"] = purl;
  if (Json references = referencesOf(skill.facts); !references.empty())
    one["externalReferences"] = std::move(references);
  one["properties"] = propertiesOf(skill);
  if (withFiles) one["components"] = filesOf(skill);
  return one;
}

std::string referenceOf(const BomPlugin &plugin) {
  return "plugin:" + plugin.id + '@' + plugin.version + ':' + plugin.digest.substr(0, 12);
}

Json componentOf(const BomPlugin &plugin) {
  Json one{{"type", "application"},
           {"bom-ref", referenceOf(plugin)},
           {"name", plugin.id},
           {"version", plugin.version}};
  if (!plugin.summary.empty()) one["description"] = plugin.summary;
  one["hashes"] = hashOf(plugin.digest);
  if (!plugin.licence.empty()) one["licenses"] = licences(plugin.licence);
  Json properties = Json::array();
  addProperty(properties, "kind", plugin.kind);
  addProperty(properties, "isolation", plugin.isolation);
  for (const std::string &instance : plugin.instances)
    addProperty(properties, "instance", instance);
  one["properties"] = std::move(properties);
  return one;
}

Json dependenciesOf(const Bom &bom) {
  std::map<std::string, std::string> pluginOf; // by instance
  Json all = Json::array();
  Json uses = Json::array();
  for (const BomPlugin &plugin : bom.plugins) {
    for (const std::string &instance : plugin.instances) pluginOf[instance] = referenceOf(plugin);
    uses.push_back(referenceOf(plugin));
  }
  for (const BomSkill &skill : bom.skills) uses.push_back("skill:" + skill.id);
  all.push_back({{"ref", subject}, {"dependsOn", std::move(uses)}});
  for (const BomSkill &skill : bom.skills)
    if (const auto plugin = pluginOf.find(skill.source); plugin != pluginOf.end())
      all.push_back({{"ref", "skill:" + skill.id}, {"dependsOn", Json::array({plugin->second})}});
  return all;
}

// Returns a UUID of version 8 (RFC 9562) that depends only on the text.
std::string uuidOf(const std::string &text) {
  constexpr std::string_view variants = "89ab";
  std::string digits = sha256Hex(text).substr(0, 32);
  digits[12] = '8';
  digits[16] = variants[static_cast<unsigned char>(digits[16]) % variants.size()];
  for (const std::size_t place : {20U, 16U, 12U, 8U}) digits.insert(place, 1, '-');
  return digits;
}

} // namespace

Json cycloneDx(Bom bom) {
  std::sort(bom.skills.begin(), bom.skills.end(),
            [](const BomSkill &a, const BomSkill &b) { return a.id < b.id; });
  for (BomPlugin &plugin : bom.plugins) std::sort(plugin.instances.begin(), plugin.instances.end());
  std::sort(bom.plugins.begin(), bom.plugins.end(),
            [](const BomPlugin &a, const BomPlugin &b) { return referenceOf(a) < referenceOf(b); });
  Json components = Json::array();
  for (const BomPlugin &plugin : bom.plugins) components.push_back(componentOf(plugin));
  for (const BomSkill &skill : bom.skills) components.push_back(componentOf(skill, bom.withFiles));
  Json dependencies = dependenciesOf(bom);
  const Json program{{"type", "application"},
                     {"bom-ref", subject},
                     {"name", "skillhost"},
                     {"version", bom.version},
                     {"licenses", licences("Apache-2.0")}};
  const Json tool{{"type", "application"}, {"name", "skillhost bom"}, {"version", bom.version}};
  const std::string serial = uuidOf(
      Json{components, dependencies, program}.dump(-1, ' ', false, Json::error_handler_t::replace));
  return {{"$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json"},
          {"bomFormat", "CycloneDX"},
          {"specVersion", "1.6"},
          {"serialNumber", "urn:uuid:" + serial},
          {"version", 1},
          {"metadata",
           {{"timestamp", timeText(bom.made)},
            {"tools", {{"components", Json::array({tool})}}},
            {"component", program}}},
          {"components", std::move(components)},
          {"dependencies", std::move(dependencies)}};
}

} // namespace skillhost::app
