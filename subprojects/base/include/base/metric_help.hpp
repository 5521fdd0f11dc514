// SPDX-License-Identifier: Apache-2.0
// The meaning of each metric in one sentence, for readers of a scrape or an export.
#pragma once

#include <span>
#include <string_view>

namespace skillhost::metrics {

struct MetricHelp {
  std::string_view name; // the name in the registry
  std::string_view help; // one line without a backslash
};

// Sorted by name. Metrics that plugins report (skillhost_plugin_…) are not included.
std::span<const MetricHelp> metricHelps();
// Returns a text for every name; never empty.
std::string_view helpOf(std::string_view name);
// Returns "seconds" or "bytes", judging by the end of the name (before `_total`), or else the empty
// text.
std::string_view unitOf(std::string_view name);

} // namespace skillhost::metrics
