// SPDX-License-Identifier: Apache-2.0
// Everything that the calls of all sessions may use. Shared by all threads.
#pragma once

#include "access/visibility.hpp"
#include "base/cache.hpp"
#include "base/rate_limit.hpp"
#include "ground/guarded.hpp"
#include "ground/timer.hpp"
#include "mcp/call_metrics.hpp"
#include "mcp/change_notices.hpp"
#include "mcp/listeners.hpp"
#include "mcp/listings.hpp"
#include "mcp/long_requests.hpp"
#include "mcp/own_resources.hpp"
#include "mcp/own_tools.hpp"
#include "mcp/plugin_tools.hpp"
#include "mcp/server.hpp"
#include "mcp/settings.hpp"
#include "mcp/view_indexes.hpp"
#include "plugin/observer.hpp"
#include "plugin/shared_store.hpp"
#include "rpc/request_state.hpp"
#include "runtime/guards.hpp"
#include "search/index.hpp"
#include "skills/skill_reader.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace skillhost {

class Access;
class ClientSession;

struct Services {
  Services(ProtocolSettings protocolSettings, Library &theLibrary, Index *theIndex,
           ViewIndexes *theViewIndexes, ServerParts parts = {})
      : settings(std::move(protocolSettings)), library(theLibrary), index(theIndex),
        viewIndexes(theViewIndexes), observers(std::move(parts.observers)),
        tools(std::move(parts.tools)), resources(std::move(parts.resources)), access(parts.access),
        withholds(parts.withholds), shared(std::move(parts.shared)),
        describePlugins(std::move(parts.describePlugins)), cache(settings.cache),
        reader(theLibrary, cache, settings.reading), guards(settings.limits, cache),
        rates(settings.rateLimit), callMetrics(tools), pluginTools(settings.toolPlugins, tools),
        seal(shared ? shared->keyFor("requestState") : Blake3Key::random()) {}

  const ProtocolSettings settings;
  Library &library;
  Index *const index;             // of all skills, for callers who see all; null: no search
  ViewIndexes *const viewIndexes; // for other callers; null if nothing can be hidden
  const Observers observers;
  const OwnTools tools;
  const OwnResources resources;
  const Access *const access; // null: all may do all
  // True if skills may be withheld until a reviewer approves them. Nobody else may learn of those.
  const bool withholds;
  const std::shared_ptr<SharedStore> shared; // null: this process is alone
  // Returns a list for statistics; empty: there is no list.
  const std::function<Json()> describePlugins;
  Cache cache; // rendered and read texts; its keys contain revisions
  SkillReader reader;
  Guards guards; // check before every tool
  RateLimiter rates;
  LongRequests longRequests; // from clients over HTTP
  CallMetrics callMetrics;
  Listings listings;
  PluginTools pluginTools;                         // tools of plugins, besides the skills
  SignedRequestState seal;                         // for plugins' state that clients carry
  Listeners listeners;                             // sessions that want notifications
  Guarded<Visibility::RulesPointer> reportedRules; // at the last reported change
  ChangeNotices notices;                           // of changes of the catalogue
  std::atomic<std::uint64_t> requests{0};
  std::atomic<bool> answeredEarly{false}; // before the first catalogue was there
  const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  Timer timer; // last, because its callbacks use the rest
};

} // namespace skillhost
