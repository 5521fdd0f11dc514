// SPDX-License-Identifier: Apache-2.0
#include "mcp/own_resources.hpp"

#include "access/access.hpp"
#include "ground/json_text.hpp"
#include "ground/time_reading.hpp"
#include "ground/utf8.hpp"
#include "mcp/services.hpp"
#include "review/review_json.hpp"
#include "skill_texts.hpp"
#include "statistics.hpp"
#include "statistics_figures.hpp"
#include "version_resources.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t mostFindings = 10'000, mostReviews = 2'000; // of one answer

void readStatistics(const CallPointer &call, const OwnResource &resource) {
  answerOwnResource(call, resource, serverStatistics(*call));
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

// How the source is followed tells of skills that are hidden. `named`: changes name the skills.
void addFollowed(Json &source, const FollowedSource &followed, bool named) {
  if (followed.looked) source["looked_at"] = timestamp(*followed.looked);
  if (followed.answered) source["answered_at"] = timestamp(*followed.answered);
  if (followed.next) source["next_at"] = timestamp(*followed.next);
  Json changes = Json::array();
  for (const SkillChanges &change : followed.changes)
    changes.push_back(changeAsJson(change, named));
  source["changes"] = std::move(changes);
}

void readSources(const CallPointer &call, const OwnResource &resource) {
  std::map<std::string, FollowedSource, std::less<>> followed;
  if (call->seesAll())
    for (FollowedSource &one : call->services().library.followed()) {
      std::string name = one.name;
      followed.emplace(std::move(name), std::move(one));
    }
  // What has gone may be withheld now. Without rules of trust nothing is.
  const bool named = isKnown(*call) || call->services().reviews == nullptr;
  const Json instances = followed.empty() ? Json::object() : callStatistics().instances;
  Json sources = Json::array();
  const auto catalogue = call->catalogue(); // held: the library replaces its own meanwhile
  for (const SourceStatus &source : catalogue->sources()) {
    Json one{{"name", source.name}, {"state", source.state()}, {"skills", source.skills}};
    if (!source.failure.empty()) one["failure"] = source.failure;
    if (const auto found = followed.find(source.name); found != followed.end()) {
      one["revision"] = source.revision;
      // Of its plugin: its age and budget, for instance.
      const auto figures = instances.find(source.name);
      if (figures != instances.end() && figures->contains("reported"))
        one["reported"] = figures->at("reported");
      addFollowed(one, found->second, named);
    }
    sources.push_back(std::move(one));
  }
  answerOwnResource(call, resource, {{"sources", std::move(sources)}});
}

void readPlugins(const CallPointer &call, const OwnResource &resource) {
  answerOwnResource(call, resource, {{"plugins", pluginStatistics(*call)}});
}

void readFindings(const CallPointer &call, const OwnResource &resource) {
  const auto catalogue = call->catalogue();
  Json findings = Json::array();
  std::size_t total = 0;
  const auto add = [&](const Finding &finding, const std::string &skill) {
    if (++total > mostFindings) return;
    Json one = findingAsJson(finding);
    if (!skill.empty()) one["skill"] = skill;
    findings.push_back(std::move(one));
  };
  for (const Finding &finding : catalogue->findings()) add(finding, {});
  for (const CatalogueEntry &entry : catalogue->entries())
    for (const Finding &finding : entry.skill->findings) add(finding, entry.name);
  answerOwnResource(call, resource, {{"total", total}, {"findings", std::move(findings)}});
}

// Rules of visibility are about skills that are in the catalogue, so that nobody can say what of
// the others who does not see all would see.
void readReviews(const CallPointer &call, const OwnResource &resource) {
  const Reviews *const reviews = call->services().reviews;
  if (reviews == nullptr || !call->seesAll())
    return answerOwnResource(call, resource, {{"total", 0}, {"reviews", Json::array()}});
  if (isKnown(*call))
    return answerOwnResource(call, resource, reviewsJson(*reviews, 0, mostReviews));
  Json numbers = reviewsJson(*reviews, 0, 0);
  numbers.erase("approvals");
  if (numbers.contains("problem")) // it names the file, and perhaps a skill
    numbers["problem"] = "decisions cannot be read, or not be shared; the server's log says why";
  answerOwnResource(call, resource, numbers);
}

void readAudit(const CallPointer &call, const OwnResource &resource) {
  Json events = Json::array();
  if (call->seesAll() && call->services().access != nullptr)
    for (const std::string &line : call->services().access->audit().recent())
      if (auto event = readJsonObject(line)) events.push_back(*std::move(event));
  answerOwnResource(call, resource, {{"events", std::move(events)}});
}

// What is recorded of the last days, as figures; of skills that the caller does not see nothing.
void readUsage(const CallPointer &call, const OwnResource &resource) {
  constexpr std::int64_t days = 30, dayMilliseconds = 86'400'000;
  constexpr std::size_t mostEntries = 100; // of a list
  UsageRecorder *const usage = call->services().usage.get();
  if (usage == nullptr) return answerOwnResource(call, resource, {{"enabled", false}});
  UsageQuestion question;
  question.since = millisecondsNow() - days * dayMilliseconds;
  question.limit = mostEntries;
  std::vector<ServedSkill> served;
  const auto catalogue = call->catalogue();
  for (const CatalogueEntry &entry : catalogue->entries())
    served.push_back({entry.skill->fields.name, entry.skill->source, entry.skill->path});
  // The session keeps the call until it is finished.
  const std::weak_ptr<Call> weak = call;
  const auto isEnough = [weak] {
    const CallPointer waiting = weak.lock();
    return !waiting || waiting->finished();
  };
  const auto answer = [weak, &resource](Result<Json> summary) {
    const CallPointer waiting = weak.lock();
    if (!waiting) return;
    if (!summary) return waiting->fail(summary.failure());
    (*summary)["enabled"] = true;
    // Each replica has figures of its own: a reader behind a balancer is to know whose these are.
    if (const auto &shared = waiting->services().shared) (*summary)["replica"] = shared->replica();
    answerOwnResource(waiting, resource, *summary);
  };
  const UsageOf of = call->seesAll() && isKnown(*call) ? UsageOf::All : UsageOf::ServedAlone;
  usage->summarize(std::move(question), std::move(served), of, isEnough, answer);
}

constexpr std::array resources{
    OwnResource{
        statisticsUri,
        R"({"uri":"skillhost://stats","name":"stats","title":"Server statistics","description":"Figures of the running server, as get_server_stats gives them.","mimeType":"application/json"})",
        Need::Manage, &readStatistics},
    OwnResource{
        "skillhost://sources",
        R"({"uri":"skillhost://sources","name":"sources","title":"Sources of skills","description":"For managers: each source with its state, when it was asked, when it will be asked again, and what its last changes were.","mimeType":"application/json"})",
        Need::Manage, &readSources},
    OwnResource{
        "skillhost://plugins",
        R"({"uri":"skillhost://plugins","name":"plugins","title":"Plugins","description":"For managers: each plugin with its version, state, restarts and what its calls were like.","mimeType":"application/json"})",
        Need::Manage, &readPlugins},
    OwnResource{
        "skillhost://findings",
        R"({"uri":"skillhost://findings","name":"findings","title":"Findings","description":"For managers: what is wrong or unwise in the skills, where, and what to write instead.","mimeType":"application/json"})",
        Need::Manage, &readFindings},
    OwnResource{
        reviewsUri,
        R"({"uri":"skillhost://reviews","name":"reviews","title":"Reviews","description":"For managers: the skills that are withheld or served with a warning by rules of trust, why, and what was decided.","mimeType":"application/json"})",
        Need::Manage, &readReviews},
    OwnResource{
        "skillhost://audit",
        R"({"uri":"skillhost://audit","name":"audit","title":"Audit","description":"For managers: the last events of the audit since the start, the oldest first.","mimeType":"application/json"})",
        Need::Manage, &readAudit},
    OwnResource{
        "skillhost://usage",
        R"({"uri":"skillhost://usage","name":"usage","title":"Usage","description":"For managers: what was used in the last 30 days, by skill, client, principal and day; what was not, what failed, and what was asked for and not found.","mimeType":"application/json"})",
        Need::Manage, &readUsage},
};

// In no list: there is one for each skill.
constexpr OwnResource versionsResource{versionsPrefix, {}, Need::Manage, &readVersions};

} // namespace

std::span<const OwnResource> ownResources() { return resources; }

const OwnResource *ownResource(std::string_view uri) {
  if (uri.starts_with(versionsPrefix)) return &versionsResource;
  const auto found = std::find_if(resources.begin(), resources.end(),
                                  [&](const OwnResource &one) { return one.uri == uri; });
  return found == resources.end() ? nullptr : &*found;
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
