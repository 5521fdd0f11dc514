// SPDX-License-Identifier: Apache-2.0
#include "skills/provenance.hpp"

#include "common_facts.hpp"
#include "ground/json.hpp"
#include "ground/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {
namespace {

// These are searched for in the text of an object without blanks. They match only at its members,
// because inside a JSON text each quote has a backslash before it.
constexpr std::string_view pathMember = R"("path":)", beforeSlash = R"(":"/)",
                           beforeFile = R"(":"file:)";

bool isLocalPath(const Json &value) {
  if (!value.is_string()) return false;
  const std::string_view text = value.get_ref<const std::string &>();
  return text.starts_with('/') || text.starts_with("file:");
}

std::string membersOf(const Json &object) {
  std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.substr(1, text.size() - 2);
}

Json withoutLocalPaths(const Json &object) {
  Json kept = Json::object();
  for (const auto &[name, value] : object.items())
    if (!isLocalPath(value)) kept[name] = value;
  return kept;
}

std::string ownMembers(const std::string &facts, LocalPaths paths) {
  if (facts.size() < 2) return {};
  const bool mayHavePaths =
      facts.find(beforeSlash) != std::string::npos || facts.find(beforeFile) != std::string::npos;
  if (paths != LocalPaths::Hidden || !mayHavePaths) return facts.substr(1, facts.size() - 2);
  const Json own = Json::parse(facts, nullptr, false);
  return own.is_object() ? membersOf(withoutLocalPaths(own)) : std::string();
}

void append(std::string &members, std::string_view more) {
  if (more.empty()) return;
  if (!members.empty()) members += ',';
  members += more;
}

} // namespace

CommonFacts::CommonFacts(const std::string &facts) {
  Json all = Json::parse(facts, nullptr, false);
  if (!all.is_object()) return;
  if (const auto path = all.find("path"); path != all.end()) {
    if (path->is_string()) beneath_ = path->get<std::string>();
    if (beneath_ == ".") beneath_.clear();
    hasPath_ = path->is_string();
    all.erase(path);
  }
  all_ = membersOf(all);
  withoutLocalPaths_ = membersOf(withoutLocalPaths(all));
}

std::string CommonFacts::of(const Skill &skill, LocalPaths paths) const {
  constexpr std::size_t usual = 512; // bytes; enough for most
  std::string members;
  members.reserve(usual);
  members += ownMembers(skill.facts, paths);
  const bool hasOwnPath = members.find(pathMember) != std::string::npos;
  append(members, paths == LocalPaths::Hidden ? withoutLocalPaths_ : all_);
  if (hasPath_ && !hasOwnPath) {
    append(members, pathMember);
    appendJsonString(members, beneath_.empty() ? skill.path : beneath_ + '/' + skill.path);
  }
  const std::string origin = paths == LocalPaths::All ? originFolder(skill) : std::string();
  const std::string &folder = paths == LocalPaths::All ? origin : skill.folder;
  if (paths != LocalPaths::Hidden && !folder.empty()) {
    append(members, R"("folder":)");
    appendJsonString(members, folder);
  }
  if (!members.empty()) members.insert(0, 1, '{') += '}';
  return members;
}

std::string originFolder(const Skill &skill) {
  const std::string &entry = skill.entry().location;
  return entry.starts_with('/') ? entry.substr(0, entry.rfind('/')) : std::string();
}

std::string factsOf(const Catalogue &catalogue, const Skill &skill, LocalPaths paths) {
  static const CommonFacts none;
  const auto &all = catalogue.sources();
  const auto source = std::find_if(
      all.begin(), all.end(), [&](const SourceStatus &one) { return one.name == skill.source; });
  const bool hasCommon = source != all.end() && source->facts;
  return (hasCommon ? *source->facts : none).of(skill, paths);
}

} // namespace skillhost
