// SPDX-License-Identifier: Apache-2.0
#include "store_report.hpp"

#include "ground/base64.hpp"
#include "ground/counted.hpp"
#include "ground/utf8.hpp"
#include "store/problem.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace skillhost {
namespace {

std::string sizeText(std::size_t bytes) {
  constexpr std::array<const char *, 3> units{"B", "KiB", "MiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1'000 && unit + 1 < units.size(); ++unit) amount /= 1'024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", amount,
                units.at(unit));
  return text.data();
}

// Counts the tools in a skill of `skillhost generate`, each of which has its own page.
std::size_t countTools(const store::LoadedSkill &skill) {
  constexpr std::string_view generated = "generated-by: \"skillhost generate\"";
  constexpr std::string_view folder = "references/tools/";
  std::size_t tools = 0;
  bool isGenerated = false;
  for (const store::FileView &file : skill.files) {
    if (file.path == "SKILL.md") isGenerated = file.bytes.find(generated) != std::string_view::npos;
    tools += file.path.starts_with(folder) && file.path.ends_with(".md") ? 1 : 0;
  }
  return isGenerated ? tools : 0;
}

} // namespace

std::string signatureText(const store::SignatureVerdict &verdict) {
  switch (verdict.how) {
  case store::Signed::No:
    return "not signed";
  case store::Signed::ByStranger:
    return "signed by none of the trusted keys";
  case store::Signed::ByTrusted:
    return "signed by " + verdict.key;
  case store::Signed::WithoutVersion:
    return "signed by " + verdict.key + " without its version: sign it again";
  case store::Signed::NotAsked:
  case store::Signed::Wrongly: // was refused earlier
    break;
  }
  return {};
}

StoredSkill examine(const store::Store &store, const std::string &name) {
  StoredSkill stored{name, std::nullopt, {}, {}};
  try {
    stored.versions = store.versions(name);
    stored.skill = store.load(name);
    stored.foreign = store.foreignNames(name);
  } catch (const store::StoreError &error) {
    // The caller handles a missing skill: there is nothing to report about.
    if (error.problem() == store::Problem::Missing || error.problem() == store::Problem::Refused)
      throw;
    stored.why = error.what();
  }
  return stored;
}

std::string verdictOf(const StoredSkill &stored) {
  if (!stored.skill) return "WRONG: " + stored.why;
  if (!stored.foreign.empty()) {
    std::string names;
    for (const std::string &one : stored.foreign) names += (names.empty() ? "" : ", ") + one;
    return "WRONG: not the store's, and in no checksum: " + names;
  }
  const std::string by = signatureText(stored.skill->signature);
  return by.empty() ? "verified" : "verified, " + by;
}

Json asJson(const StoredSkill &stored) {
  Json out{{"name", stored.name}, {"versions", stored.versions}, {"verified", false}};
  if (!stored.skill) {
    out["error"] = stored.why;
    return out;
  }
  const store::Metadata &metadata = stored.skill->metadata;
  out["verified"] = stored.foreign.empty();
  if (!stored.foreign.empty()) out["foreign"] = stored.foreign;
  if (const std::size_t tools = countTools(*stored.skill); tools != 0) out["tools"] = tools;
  if (const std::string by = signatureText(stored.skill->signature); !by.empty())
    out["signature"] = by;
  out["version"] = metadata.version;
  out["saved"] = metadata.saved;
  out["origin"] = metadata.origin;
  out["bytes"] = metadata.bytes;
  out["checksum"] = stored.skill->checksum;
  out["keyed"] = metadata.keyed;
  out["content"] = metadata.content;
  out["compressed"] = metadata.compression != store::Compression::None;
  out["module_bytes"] = metadata.moduleBytes.value_or(0);
  Json files = Json::array();
  for (const store::FileView &file : stored.skill->files)
    files.push_back({{"path", file.path}, {"bytes", file.bytes.size()}});
  out["files"] = std::move(files);
  return out;
}

Json contentJson(const StoredSkill &stored) {
  Json out = asJson(stored);
  if (!stored.skill) return out;
  for (std::size_t i = 0; i < stored.skill->files.size(); ++i) {
    const std::string_view bytes = stored.skill->files[i].bytes;
    if (isUtf8(bytes))
      out["files"][i]["text"] = bytes;
    else
      out["files"][i]["base64"] = encodeBase64(bytes);
  }
  return out;
}

std::string asLine(const StoredSkill &stored, std::size_t nameWidth) {
  std::string line = stored.name;
  line.resize(std::max(line.size(), nameWidth), ' ');
  if (!stored.skill) return line + "  " + verdictOf(stored);
  const store::Metadata &metadata = stored.skill->metadata;
  const std::size_t tools = countTools(*stored.skill);
  return line + "  saved " + metadata.saved + "  " +
         (tools == 0 ? "" : counted(tools, "tool") + "  ") + counted(metadata.files, "file") +
         "  " + sizeText(metadata.bytes) + "  " + verdictOf(stored);
}

std::string asText(const StoredSkill &stored) {
  const store::Metadata &metadata = stored.skill->metadata;
  std::string text = stored.name + "\n  version  " + std::to_string(metadata.version) + ", kept:";
  for (const std::uint64_t version : stored.versions) text += ' ' + std::to_string(version);
  text += "\n  saved    " + metadata.saved;
  if (!metadata.origin.empty()) text += " from " + metadata.origin;
  text += "\n  verdict  " + verdictOf(stored);
  text += "\n  checksum " + stored.skill->checksum + (metadata.keyed ? " (with a key)" : "");
  text += "\n  content  " + metadata.content;
  text += "\n  size     " + sizeText(metadata.bytes);
  if (metadata.compression != store::Compression::None)
    text += ", compressed to " + sizeText(metadata.listingBytes);
  if (metadata.moduleBytes) text += ", and module.wasm of " + sizeText(*metadata.moduleBytes);
  for (const store::FileView &file : stored.skill->files)
    text += "\n  file     " + std::string(file.path) + ", " + sizeText(file.bytes.size());
  return text + '\n';
}

} // namespace skillhost
