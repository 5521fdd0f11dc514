// SPDX-License-Identifier: Apache-2.0
// What each metric of ours tells, in one sentence: for who reads a scrape or an export.
#pragma once

#include <span>
#include <string_view>

namespace skillhost::metrics {

struct MetricHelp {
  std::string_view name; // as the registry has it
  std::string_view help; // one line without a backslash
};

// Sorted by name. What a plugin reports (skillhost_plugin_…) is not among them.
std::span<const MetricHelp> metricHelps();
// For every name something; never empty.
std::string_view helpOf(std::string_view name);
// "seconds" or "bytes", by the end of the name (`_total` aside); else empty.
std::string_view unitOf(std::string_view name);

} // namespace skillhost::metrics
