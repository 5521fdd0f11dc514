// SPDX-License-Identifier: Apache-2.0
// Tells an OpenTelemetry collector of calls, lines of the log and figures.
#pragma once

#include "base/metrics.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::telemetry {

struct Settings {
  std::string endpoint; // "https://collector.example:4318"; /v1/traces and its like come behind it
  std::vector<std::pair<std::string, std::string>> headers; // of every request; may hold a secret
  std::string caFile;                                       // PEM; empty: the system's authorities
  std::chrono::milliseconds metricsInterval{60'000};        // between two exports of figures
  std::chrono::milliseconds batchTime{1'000}; // that a line waits for others to go with
  std::chrono::milliseconds requestTime{10'000};
  std::string serviceVersion;
  std::string transport; // network.transport of spans: "tcp", or "pipe" of stdio
  // Between two tries at a collector that cannot take more, or be reached.
  std::chrono::milliseconds firstRetry{1'000}, longestRetry{60'000};
};

// What waits is bounded, and what is beyond is lost and counted
// (skillhost_telemetry_items_total{signal,outcome}); nobody waits for the collector. A failure, and
// its end, is one line of the log each.
class Exporter {
public:
  // Hears the log from now on, on threads of others; sends on one of its own. That one loads
  // libcurl, when there is something to send.
  explicit Exporter(Settings settings, metrics::Registry &registry = metrics::all());
  // Sends what waits, for one second at most.
  ~Exporter();
  Exporter(const Exporter &) = delete;
  Exporter &operator=(const Exporter &) = delete;

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost::telemetry
