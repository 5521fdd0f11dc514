// SPDX-License-Identifier: Apache-2.0
#include "session_record.hpp"

#include "ground/json_member.hpp"
#include "rpc/log_levels.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace skillhost {
namespace {

constexpr std::uint64_t recordVersion = 1;
constexpr std::size_t recordDepth = 16, recordValues = 100'000;
constexpr std::size_t longestName = maxSubscribedBytes; // of an id, a URI, a digest or a time
constexpr int maxLogLevel = static_cast<int>(logLevelNames.size()) - 1;
// The names are in the order of SessionChange::Kind.
constexpr std::array<std::string_view, 5> changeNames{"level", "subscribed", "unsubscribed",
                                                      "loaded", "unloaded"};

std::string written(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Each function reads a member into `out`. It returns false if there is no member of that type.
bool readText(const Json &object, const char *name, std::string &out) {
  const Json &found = memberOf(object, name);
  if (!found.is_string()) return false;
  out = found.get_ref<const std::string &>();
  return out.size() <= longestName;
}

bool readCount(const Json &object, const char *name, std::uint64_t &out) {
  const Json &found = memberOf(object, name);
  if (!found.is_number_unsigned()) return false;
  out = found.get<std::uint64_t>();
  return true;
}

bool readLevel(const Json &object, int &out) {
  std::uint64_t level = 0;
  if (!readCount(object, "level", level) || level > static_cast<std::uint64_t>(maxLogLevel))
    return false;
  out = static_cast<int>(level);
  return true;
}

bool readSkill(const Json &object, LoadedSkill &out) {
  std::uint64_t tokens = 0;
  if (!readText(object, "name", out.name) || !readText(object, "digest", out.digest) ||
      out.digest.empty() || !readText(object, "loadedAt", out.loadedAt) ||
      !readCount(object, "tokens", tokens))
    return false;
  out.tokens = tokens;
  return true;
}

Json skillAsJson(const std::string &id, const LoadedSkill &skill) {
  return {{"id", id},
          {"name", skill.name},
          {"digest", skill.digest},
          {"loadedAt", skill.loadedAt},
          {"tokens", skill.tokens}};
}

bool readNotes(const Json &object, SessionNotes &out) {
  // Without the member no level was set.
  if (!memberOf(object, "level").is_null() && !readLevel(object, out.logLevel)) return false;
  const Json &uris = memberOf(object, "uris"), &loaded = memberOf(object, "loaded");
  if (!uris.is_array() || !loaded.is_array()) return false;
  for (const Json &uri : uris) {
    if (!uri.is_string()) return false;
    out.uris.insert(uri.get<std::string>());
  }
  for (const Json &one : loaded) {
    std::string id;
    LoadedSkill skill;
    if (!one.is_object() || !readText(one, "id", id) || !readSkill(one, skill)) return false;
    out.loaded[std::move(id)] = std::move(skill);
  }
  return true;
}

} // namespace

std::string SessionRecord::text() const {
  if (ended) return R"({"version":1,"ended":true})";
  Json loaded = Json::array();
  for (const auto &[id, skill] : notes.loaded) loaded.push_back(skillAsJson(id, skill));
  Json json{{"version", recordVersion},
            {"writes", writes},
            {"uris", notes.uris},
            {"loaded", std::move(loaded)}};
  if (notes.logLevel >= 0) json["level"] = notes.logLevel;
  return written(json);
}

Result<SessionRecord> SessionRecord::read(std::string_view text) {
  const Failure corrupt{Fault::Corrupt, "this is not the record of a session"};
  if (text.size() > largest) return corrupt;
  const Result<Json> json = parseJson(text, {recordDepth, recordValues});
  SessionRecord record;
  std::uint64_t version = 0;
  if (!json || !json->is_object() || !readCount(*json, "version", version) ||
      version != recordVersion)
    return corrupt;
  record.ended = memberOf(*json, "ended") == true;
  if (record.ended) return record;
  if (!readCount(*json, "writes", record.writes) || !readNotes(*json, record.notes)) return corrupt;
  return record;
}

Json changeAsJson(const SessionChange &change) {
  Json json{{"change", changeNames.at(static_cast<std::size_t>(change.kind))}};
  switch (change.kind) {
  case SessionChange::Kind::LogLevel:
    json["level"] = static_cast<std::uint64_t>(change.level);
    break;
  case SessionChange::Kind::Loaded:
    json.update(skillAsJson(change.name, change.skill));
    break;
  case SessionChange::Kind::Subscribed:
  case SessionChange::Kind::Unsubscribed:
  case SessionChange::Kind::Unloaded:
    json["id"] = change.name;
    break;
  }
  return json;
}

std::optional<SessionChange> changeFromJson(const Json &json) {
  std::string name;
  if (!json.is_object() || !readText(json, "change", name)) return std::nullopt;
  SessionChange change;
  std::size_t kind = 0;
  while (kind < changeNames.size() && changeNames.at(kind) != name) ++kind;
  if (kind == changeNames.size()) return std::nullopt;
  change.kind = static_cast<SessionChange::Kind>(kind);
  if (change.kind == SessionChange::Kind::LogLevel) {
    if (!readLevel(json, change.level)) return std::nullopt;
    return change;
  }
  if (!readText(json, "id", change.name)) return std::nullopt;
  if (change.kind == SessionChange::Kind::Loaded && !readSkill(json, change.skill))
    return std::nullopt;
  return change;
}

} // namespace skillhost
