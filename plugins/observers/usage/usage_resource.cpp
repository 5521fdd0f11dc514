// SPDX-License-Identifier: Apache-2.0
#include "usage/usage_resource.hpp"

#include "ground/time_reading.hpp"
#include "mcp/call.hpp"
#include "mcp/services.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

// Answers with the figures of the last days. They contain nothing about skills that the caller does
// not see.
void readUsage(UsageRecorder *usage, const CallPointer &call, const std::string &uri) {
  constexpr std::int64_t days = 30, dayMilliseconds = 86'400'000;
  constexpr std::size_t maxEntries = 100; // of a list
  if (usage == nullptr) return answerOwnResource(call, uri, {{"enabled", false}});
  UsageQuestion question;
  question.since = millisecondsNow() - days * dayMilliseconds;
  question.limit = maxEntries;
  std::vector<ServedSkill> served;
  const auto catalogue = call->catalogue();
  for (const CatalogueEntry &entry : catalogue->entries())
    served.push_back({entry.skill->fields.name, entry.skill->source, entry.skill->path});
  // The session keeps the call until it is finished, so a weak pointer is enough.
  const std::weak_ptr<Call> weak = call;
  const auto isEnough = [weak] {
    const CallPointer waiting = weak.lock();
    return !waiting || waiting->isFinished();
  };
  const auto answer = [weak, uri](Result<Json> summary) {
    const CallPointer waiting = weak.lock();
    if (!waiting) return;
    if (!summary) return waiting->fail(summary.failure());
    (*summary)["enabled"] = true;
    // Each replica has figures of its own. The member tells a reader behind a load balancer which
    // replica has answered.
    if (const auto &shared = waiting->services().shared) (*summary)["replica"] = shared->replica();
    answerOwnResource(waiting, uri, *summary);
  };
  const UsageOf of = call->seesAll() && isKnown(*call) ? UsageOf::All : UsageOf::ServedAlone;
  usage->summarize(std::move(question), std::move(served), of, isEnough, answer);
}

} // namespace

OwnResource usageResource(std::shared_ptr<UsageRecorder> usage) {
  return {
      "skillhost://usage",
      R"({"uri":"skillhost://usage","name":"usage","title":"Usage","description":"For managers: what was used in the last 30 days, by skill, client, principal and day; what was not, what failed, and what was asked for and not found.","mimeType":"application/json"})",
      Permission::Manage,
      [usage = std::move(usage)](const CallPointer &call, const std::string &uri) {
        readUsage(usage.get(), call, uri);
      }};
}

} // namespace skillhost
