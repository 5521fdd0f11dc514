// SPDX-License-Identifier: Apache-2.0
// The settings of the protocol, from the configuration.
#pragma once

#include "base/cache_rules.hpp"
#include "base/rate_limit.hpp"
#include "runtime/deadlines.hpp"
#include "runtime/limits.hpp"
#include "skills/skill_reader.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace skillhost {

// Gateway offers the tools that list, find and load skills. Skills makes every skill a tool of its
// own. Both does both.
enum class Expose : std::uint8_t { Gateway, Skills, Both };

// The form of a tool's result that is sent. Auto: the form that suits the client, by its name.
enum class Results : std::uint8_t { Auto, Text, Both, Structured };

struct ProtocolSettings {
  std::string version; // of this program
  Expose expose = Expose::Gateway;
  Results results = Results::Auto;
  bool operatorTools = false; // hosts of agents are offered the tools of operators too
  ReadingRules reading;
  std::string instructions; // empty: ours
  std::int64_t defaultTopK = 3;
  std::size_t pageSize = 200;                  // entries of a protocol list
  bool toolPlugins = false;                    // plugins bring tools: servePluginTools() follows
  std::chrono::milliseconds startupWait{2000}; // longest wait for the first catalogue
  Limits limits;
  Deadlines deadlines;
  CacheRules cache;
  RateRules rateLimit;
  bool passTrace = true; // requests that plugins make for a call carry its trace
};

} // namespace skillhost
