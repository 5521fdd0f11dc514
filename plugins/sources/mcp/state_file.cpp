// SPDX-License-Identifier: Apache-2.0
#include "state_file.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace skillhost::mcp_source {
namespace {

constexpr int stateVersion = 1;

// Throws Json::exception if a type is wrong; returns nullptr if a value is not possible.
SkillPointer readSkill(const Json &read) {
  auto skill = std::make_shared<StoredSkill>();
  skill->id = read.at("id").get<std::string>();
  skill->uri = read.at("uri").get<std::string>();
  skill->folder = read.at("folder").get<std::string>();
  skill->fetched = read.at("fetched").get<std::int64_t>();
  skill->through = read.value("through", std::string()); // earlier versions wrote none
  if (!paths::servableBelow(skill->id)) return nullptr;
  for (const Json &one : read.at("documents")) {
    StoredDocument document{one.at(0).get<std::string>(), one.at(1).get<std::string>(),
                            one.at(2).get<std::string>(), one.at(3).get<std::uint64_t>()};
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
  const Json read = Json::parse(text, nullptr, false);
  try {
    if (read.at("version") != stateVersion || read.at("url") != url) return {};
    const Json &server = read.at("server");
    State state{url,
                read.at("checked").get<std::int64_t>(),
                {},
                {server.at(0).get<std::string>(), server.at(1).get<std::string>(),
                 server.at(2).get<std::string>()}};
    for (const Json &one : read.at("skills")) {
      SkillPointer skill = readSkill(one);
      if (!skill) return {};
      state.skills.push_back(std::move(skill));
    }
    return state;
  } catch (const Json::exception &) {
    return {}; // an unreadable file counts as missing
  }
}

std::string writeState(const State &state) {
  Json skills = Json::array();
  for (const SkillPointer &skill : state.skills) {
    Json documents = Json::array();
    for (const StoredDocument &document : skill->documents)
      documents.push_back(
          Json::array({document.path, document.uri, document.revision, document.size}));
    skills.push_back({{"id", skill->id},
                      {"uri", skill->uri},
                      {"folder", skill->folder},
                      {"fetched", skill->fetched},
                      {"through", skill->through},
                      {"documents", std::move(documents)}});
  }
  const Json written{
      {"version", stateVersion},
      {"url", state.url},
      {"server", Json::array({state.facts.name, state.facts.version, state.facts.protocol})},
      {"checked", state.checked},
      {"skills", std::move(skills)}};
  return written.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace skillhost::mcp_source
