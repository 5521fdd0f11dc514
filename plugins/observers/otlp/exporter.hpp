// SPDX-License-Identifier: Apache-2.0
// Sends calls, log lines and metrics to an OpenTelemetry collector.
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
  // Such as "https://collector.example:4318"; /v1/traces and the other paths are appended.
  std::string endpoint;
  // Headers of every request. They may contain a secret.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string caFile;                                // PEM; empty: the system's authorities
  std::chrono::milliseconds metricsInterval{60'000}; // between two exports of metrics
  // Time that a line waits for further lines of its batch.
  std::chrono::milliseconds batchTime{1'000};
  std::chrono::milliseconds requestTime{10'000};
  std::string serviceVersion;
  std::string transport; // network.transport of spans: "tcp", or "pipe" for stdio
  // Pauses before another attempt if the collector is overloaded or cannot be reached.
  std::chrono::milliseconds firstRetry{1'000}, maxRetry{60'000};
};

// The queue is bounded; lines without room are lost and counted
// (skillhost_telemetry_items_total{signal,outcome}). Nobody waits for the collector. The log
// contains one line for a failure and one for its end.
class Exporter {
public:
  // Receives the lines of the log on the threads of their writers, and sends on a thread of its
  // own. That thread loads libcurl when there is something to send.
  explicit Exporter(Settings settings, metrics::Registry &registry = metrics::all());
  // Sends what waits, for at most one second.
  ~Exporter();
  Exporter(const Exporter &) = delete;
  Exporter &operator=(const Exporter &) = delete;

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost::telemetry
