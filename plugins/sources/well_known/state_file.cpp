// SPDX-License-Identifier: Apache-2.0
#include "state_file.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost::well_known {
namespace {

using StateJson = Json;

constexpr int stateVersion = 1;
constexpr const char *archiveKind = "archive", *documentKind = "skill-md";

// Throws StateJson::exception if a type is wrong; returns nullptr if a value is not possible.
SkillPointer readSkill(const StateJson &read) {
  auto skill = std::make_shared<StoredSkill>();
  skill->entry.name = read.at("name").get<std::string>();
  skill->entry.kind =
      read.at("type") == archiveKind ? ArtefactKind::archive : ArtefactKind::document;
  skill->entry.url = read.at("url").get<std::string>();
  skill->entry.digest = read.at("digest").get<std::string>();
  skill->fetched = read.value("fetched", std::int64_t{0});
  if (!isSkillName(skill->entry.name) || !isHexadecimal(skill->entry.digest, 64)) return nullptr;
  for (const StateJson &one : read.at("documents")) {
    StoredDocument document{one.at(0).get<std::string>(), one.at(1).get<std::string>(),
                            one.at(2).get<std::uint64_t>(), one.at(3).get<std::uint32_t>()};
    if (!paths::servableBelow(document.path) || !isHexadecimal(document.revision, 64))
      return nullptr;
    skill->documents.push_back(std::move(document));
  }
  const bool isSorted = std::is_sorted(
      skill->documents.begin(), skill->documents.end(),
      [](const StoredDocument &a, const StoredDocument &b) { return a.path < b.path; });
  return isSorted ? skill : nullptr;
}

} // namespace

std::optional<State> readState(const std::string &text, const std::string &url) {
  const StateJson read = StateJson::parse(text, nullptr, false);
  try {
    if (read.at("version") != stateVersion || read.at("url") != url) return {};
    State state{
        url, read.at("etag").get<std::string>(), read.at("checked").get<std::int64_t>(), {}};
    state.indexDigest = read.value("index_digest", "");
    if (!state.indexDigest.empty() && !isHexadecimal(state.indexDigest, 64)) return {};
    state.index = read.value("index", url);
    state.isVerified = read.value("verified", true);
    for (const StateJson &one : read.at("skills")) {
      SkillPointer skill = readSkill(one);
      if (!skill) return {};
      state.skills.push_back(std::move(skill));
    }
    return state;
  } catch (const StateJson::exception &) {
    return {}; // an unreadable file counts as missing
  }
}

std::string writeState(const State &state) {
  StateJson skills = StateJson::array();
  for (const SkillPointer &skill : state.skills) {
    StateJson documents = StateJson::array();
    for (const StoredDocument &document : skill->documents)
      documents.push_back(
          StateJson::array({document.path, document.revision, document.size, document.flags}));
    const bool isArchive = skill->entry.kind == ArtefactKind::archive;
    skills.push_back({{"name", skill->entry.name},
                      {"type", isArchive ? archiveKind : documentKind},
                      {"url", skill->entry.url},
                      {"digest", skill->entry.digest},
                      {"fetched", skill->fetched},
                      {"documents", std::move(documents)}});
  }
  const StateJson written{{"version", stateVersion},  {"url", state.url},
                          {"etag", state.etag},       {"index_digest", state.indexDigest},
                          {"index", state.index},     {"verified", state.isVerified},
                          {"checked", state.checked}, {"skills", std::move(skills)}};
  return written.dump() + "\n";
}

} // namespace skillhost::well_known
