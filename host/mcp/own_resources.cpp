// SPDX-License-Identifier: Apache-2.0
#include "mcp/own_resources.hpp"

#include "access/access.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "mcp/call.hpp"
#include "mcp/services.hpp"
#include "skill_texts.hpp"
#include "statistics.hpp"
#include "statistics_figures.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t maxFindings = 10'000; // of one answer

void readStatistics(const CallPointer &call, const std::string &uri) {
  answerOwnResource(call, uri, serverStatistics(*call));
}

Json idsAsJson(const SkillChanges::Ids &ids, bool named) {
  Json out = {{"count", ids.count}};
  if (named) out["skills"] = ids.first;
  return out;
}

Json changeAsJson(const SkillChanges &change, bool named) {
  return {{"at", timestamp(change.at)},
          {"revision", change.revision},
          {"revision_before", change.revisionBefore},
          {"added", idsAsJson(change.added, named)},
          {"changed", idsAsJson(change.changed, named)},
          {"removed", idsAsJson(change.removed, named)}};
}

// Adds how the source is followed, which may reveal hidden skills. `named`: changes name the
// skills.
void addFollowed(Json &source, const FollowedSource &followed, bool named) {
  if (followed.lastRefresh) source["looked_at"] = timestamp(*followed.lastRefresh);
  if (followed.lastSuccess) source["answered_at"] = timestamp(*followed.lastSuccess);
  if (followed.next) source["next_at"] = timestamp(*followed.next);
  Json changes = Json::array();
  for (const SkillChanges &change : followed.changes)
    changes.push_back(changeAsJson(change, named));
  source["changes"] = std::move(changes);
}

void readSources(const CallPointer &call, const std::string &uri) {
  std::map<std::string, FollowedSource, std::less<>> followed;
  if (call->seesAll())
    for (FollowedSource &one : call->services().library.followed()) {
      std::string name = one.name;
      followed.emplace(std::move(name), std::move(one));
    }
  // A skill that has gone may be withheld now.
  const bool named = isKnown(*call) || !call->services().withholds;
  const Json instances = followed.empty() ? Json::object() : callStatistics().instances;
  Json sources = Json::array();
  const auto catalogue = call->catalogue(); // owned here: the library replaces its own meanwhile
  for (const SourceStatus &source : catalogue->sources()) {
    Json one{{"name", source.name}, {"state", source.state()}, {"skills", source.skills}};
    if (!source.failure.empty()) one["failure"] = source.failure;
    if (const auto found = followed.find(source.name); found != followed.end()) {
      one["revision"] = source.revision;
      // Gauges that its plugin reports, such as its age and its budget.
      const auto figures = instances.find(source.name);
      if (figures != instances.end() && figures->contains("reported"))
        one["reported"] = figures->at("reported");
      addFollowed(one, found->second, named);
    }
    sources.push_back(std::move(one));
  }
  answerOwnResource(call, uri, {{"sources", std::move(sources)}});
}

void readPlugins(const CallPointer &call, const std::string &uri) {
  answerOwnResource(call, uri, {{"plugins", pluginStatistics(*call)}});
}

void readFindings(const CallPointer &call, const std::string &uri) {
  const auto catalogue = call->catalogue();
  Json findings = Json::array();
  std::size_t total = 0;
  const auto add = [&](const Finding &finding, const std::string &skill) {
    if (++total > maxFindings) return;
    Json one = findingAsJson(finding);
    if (!skill.empty()) one["skill"] = skill;
    findings.push_back(std::move(one));
  };
  for (const Finding &finding : catalogue->findings()) add(finding, {});
  for (const CatalogueEntry &entry : catalogue->entries())
    for (const Finding &finding : entry.skill->findings) add(finding, entry.name);
  answerOwnResource(call, uri, {{"total", total}, {"findings", std::move(findings)}});
}

void readAudit(const CallPointer &call, const std::string &uri) {
  Json events = Json::array();
  if (call->seesAll() && call->services().access != nullptr)
    for (const std::string &line : call->services().access->audit().recent())
      if (auto event = readJsonObject(line)) events.push_back(*std::move(event));
  answerOwnResource(call, uri, {{"events", std::move(events)}});
}

std::vector<OwnResource> ofTheServer() {
  return {
      OwnResource{
          std::string(statisticsUri),
          R"({"uri":"skillhost://stats","name":"stats","title":"Server statistics","description":"Figures of the running server, as get_server_stats gives them.","mimeType":"application/json"})",
          Permission::Manage, &readStatistics},
      OwnResource{
          "skillhost://sources",
          R"({"uri":"skillhost://sources","name":"sources","title":"Sources of skills","description":"For managers: each source with its state, when it was asked, when it will be asked again, and what its last changes were.","mimeType":"application/json"})",
          Permission::Manage, &readSources},
      OwnResource{
          "skillhost://plugins",
          R"({"uri":"skillhost://plugins","name":"plugins","title":"Plugins","description":"For managers: each plugin with its version, state, restarts and what its calls were like.","mimeType":"application/json"})",
          Permission::Manage, &readPlugins},
      OwnResource{
          "skillhost://findings",
          R"({"uri":"skillhost://findings","name":"findings","title":"Findings","description":"For managers: what is wrong or unwise in the skills, where, and what to write instead.","mimeType":"application/json"})",
          Permission::Manage, &readFindings},
      OwnResource{
          "skillhost://audit",
          R"({"uri":"skillhost://audit","name":"audit","title":"Audit","description":"For managers: the last events of the audit since the start, the oldest first.","mimeType":"application/json"})",
          Permission::Manage, &readAudit},
  };
}

} // namespace

OwnResources::OwnResources(std::vector<OwnResource> ofFeatures) : listed_(ofTheServer()) {
  for (OwnResource &one : ofFeatures)
    (one.listed.empty() ? unlisted_ : listed_).push_back(std::move(one));
}

const OwnResource *OwnResources::find(std::string_view uri) const {
  const auto isFor = [uri](const OwnResource &one) {
    return one.uri.ends_with('/') ? uri.starts_with(one.uri) : uri == one.uri;
  };
  for (const std::vector<OwnResource> *const all : {&unlisted_, &listed_})
    if (const auto found = std::find_if(all->begin(), all->end(), isFor); found != all->end())
      return &*found;
  return nullptr;
}

bool isKnown(const Call &call) {
  const Access *const access = call.services().access;
  return access != nullptr && access->authenticator() != nullptr;
}

void answerOwnResource(const CallPointer &call, std::string_view uri, const Json &data) {
  std::string out = R"("contents":[{"uri":)";
  appendJsonString(out, uri);
  out += R"(,"mimeType":"application/json","text":)";
  appendJsonString(out, data.dump(-1, ' ', false, Json::error_handler_t::replace));
  call->result(Fragments(out + "}]"), Caching{0});
}

} // namespace skillhost
