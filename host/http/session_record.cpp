// SPDX-License-Identifier: Apache-2.0
#include "session_record.hpp"

#include "ground/json_member.hpp"
#include "rpc/log_levels.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <initializer_list>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::uint64_t recordVersion = 1;
constexpr std::size_t recordDepth = 16, recordValues = 100'000;
constexpr std::size_t longestName = 4096; // of an id, a digest, a time
constexpr std::uint64_t mostVerbose = logLevelNames.size() - 1;
constexpr std::array<std::string_view, 3> forms{"both", "text", "structured"};

std::string written(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Each reads a member into `out` and is false when there is none of that kind.
bool readText(const Json &object, const char *name, std::string &out, std::size_t longest) {
  const Json &found = memberOf(object, name);
  if (!found.is_string()) return false;
  out = found.get_ref<const std::string &>();
  return out.size() <= longest;
}

bool readCount(const Json &object, const char *name, std::uint64_t &out) {
  const Json &found = memberOf(object, name);
  if (!found.is_number_unsigned()) return false;
  out = found.get<std::uint64_t>();
  return true;
}

bool readFlag(const Json &object, const char *name, bool &out) {
  const Json &found = memberOf(object, name);
  if (!found.is_boolean()) return false;
  out = found.get<bool>();
  return true;
}

bool readForm(const Json &object, ResultForm &out) {
  std::string name;
  if (!readText(object, "form", name, longestName)) return false;
  for (std::size_t i = 0; i < forms.size(); ++i)
    if (forms.at(i) == name) {
      out = static_cast<ResultForm>(i);
      return true;
    }
  return false;
}

bool readLevel(const Json &object, int &out) {
  const Json &found = memberOf(object, "logLevel");
  if (found.is_null()) return true; // none was set
  if (!found.is_number_unsigned() || found.get<std::uint64_t>() > mostVerbose) return false;
  out = found.get<int>();
  return true;
}

bool readUris(const Json &object, std::set<std::string> &out) {
  const Json &found = memberOf(object, "uris");
  if (!found.is_array()) return false;
  for (const Json &uri : found) {
    if (!uri.is_string()) return false;
    out.insert(uri.get<std::string>());
  }
  return true;
}

bool readLoaded(const Json &object, std::map<std::string, LoadedSkill> &out) {
  const Json &found = memberOf(object, "loaded");
  if (!found.is_array()) return false;
  for (const Json &one : found) {
    std::string id;
    LoadedSkill skill;
    std::uint64_t tokens = 0;
    if (!one.is_object() || !readText(one, "id", id, longestName) ||
        !readText(one, "name", skill.name, longestName) ||
        !readText(one, "digest", skill.digest, longestName) || skill.digest.empty() ||
        !readText(one, "loadedAt", skill.loadedAt, longestName) ||
        !readCount(one, "tokens", tokens))
      return false;
    skill.tokens = tokens;
    out[std::move(id)] = std::move(skill);
  }
  return true;
}

bool readFacts(const Json &object, SessionFacts &out) {
  // Records of before have no name of the client.
  if (!memberOf(object, "client").is_null() && !readText(object, "client", out.client, longestName))
    return false;
  return readText(object, "capabilities", out.capabilities, SessionRecord::largest) &&
         readJsonObject(out.capabilities, 64) && readForm(object, out.form) &&
         readFlag(object, "ready", out.ready) && readLevel(object, out.logLevel) &&
         readUris(object, out.uris) && readLoaded(object, out.loaded);
}

bool readLive(Json &object, SessionRecord &out) {
  if (!readText(object, "owner", out.owner, longestName) ||
      !readText(object, "listener", out.listener, longestName) ||
      !readCount(object, "writes", out.writes) || !readFacts(object, out.facts))
    return false;
  for (const char *own : {"version", "owner", "capabilities", "client", "form", "ready", "logLevel",
                          "uris", "loaded", "listener", "writes"})
    object.erase(own);
  out.further = written(object);
  return true;
}

Json loadedText(const std::map<std::string, LoadedSkill> &loaded) {
  Json all = Json::array();
  for (const auto &[id, skill] : loaded)
    all.push_back({{"id", id},
                   {"name", skill.name},
                   {"digest", skill.digest},
                   {"loadedAt", skill.loadedAt},
                   {"tokens", skill.tokens}});
  return all;
}

} // namespace

std::string SessionRecord::text() const {
  if (kind == Kind::Ended) return R"({"version":1,"ended":true})";
  Json json{{"version", recordVersion},
            {"owner", owner},
            {"capabilities", facts.capabilities},
            {"form", forms.at(static_cast<std::size_t>(facts.form))},
            {"ready", facts.ready},
            {"uris", facts.uris},
            {"loaded", loadedText(facts.loaded)},
            {"listener", listener},
            {"writes", writes}};
  if (!facts.client.empty()) json["client"] = facts.client;
  if (facts.logLevel >= 0) json["logLevel"] = facts.logLevel;
  if (further.size() > 2)
    if (const auto others = readJsonObject(further, recordDepth)) json.update(*others);
  return written(json);
}

Result<SessionRecord> SessionRecord::read(std::string_view text) {
  const Failure corrupt{Fault::Corrupt, "this is not the record of a session"};
  if (text.size() > largest) return corrupt;
  Result<Json> json = parseJson(text, {recordDepth, recordValues});
  SessionRecord record;
  std::uint64_t version = 0;
  if (!json || !json->is_object() || !readCount(*json, "version", version) || version == 0)
    return corrupt;
  if (version > recordVersion) {
    record.kind = Kind::Newer;
    return record;
  }
  bool ended = false;
  if (readFlag(*json, "ended", ended) && ended) {
    record.kind = Kind::Ended;
    return record;
  }
  if (!readLive(*json, record)) return corrupt;
  return record;
}

} // namespace skillhost
