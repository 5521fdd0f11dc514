// SPDX-License-Identifier: Apache-2.0
// Counts requests and their outcomes, by method and by tool.
#pragma once

#include "base/fault.hpp"
#include "base/metrics.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost {

class Call;
class OwnTools;

// Any thread. An unknown method counts as "other", a skill that is a tool as "skill", and a tool of
// a plugin by its name, so that no client can create new series.
class CallMetrics {
public:
  // `tools` are those that are counted by their names.
  explicit CallMetrics(const OwnTools &tools, metrics::Registry &registry = metrics::all());

  // Called when a call was answered or abandoned.
  void onCallFinished(const Call &call);
  // Called when the result of a tool reports a failure.
  void onToolFailed(const Call &call, Fault fault);
  // Called when a search was answered.
  enum class Search : std::uint8_t { Found, None, Failed };
  void onSearch(Search outcome);

private:
  metrics::Registry &registry_;
  // The constructor fills it, and nothing changes it afterwards.
  std::unordered_map<std::string_view, metrics::Histogram *> methods_;
  std::vector<metrics::Histogram *> tools_; // as in OwnTools::all(), then skills
  metrics::Histogram &otherMethod_;
  std::array<metrics::Counter *, 3> searches_; // in the order of Search
};

} // namespace skillhost
