// SPDX-License-Identifier: Apache-2.0
// The metrics on addresses of their own (metrics.listen), whatever the transport of MCP is.
#pragma once

#include "app/configuration.hpp"
#include "http/metrics_endpoint.hpp"
#include "net/http_server.hpp"

#include <memory>
#include <optional>
#include <thread>

namespace skillhost::app {

class MetricsListener {
public:
  // Takes the addresses; nobody can connect yet. Null: none are configured. Throws
  // std::runtime_error when one is wrong, is taken, or is open to strangers.
  static std::unique_ptr<MetricsListener> bound(const Configuration &configuration);
  // Ends it in order, and waits for that.
  ~MetricsListener();
  MetricsListener(const MetricsListener &) = delete;
  MetricsListener &operator=(const MetricsListener &) = delete;

  // Serves from now on, on a thread of its own. Once. Throws as bound().
  void begin();
  // Of TLS, where there is one; what comes of it is logged. On one thread at a time.
  void reloadCertificates();

private:
  explicit MetricsListener(const Configuration &configuration);

  const bool secure_;
  std::optional<MetricsEndpoint> endpoint_; // since the addresses are known
  HttpServer server_;
  std::thread thread_;
};

} // namespace skillhost::app
