// SPDX-License-Identifier: Apache-2.0
// The metrics of HTTP connections.
#pragma once

#include "base/metrics.hpp"

#include <string>

namespace skillhost::http {

struct Figures {
  metrics::Gauge &open = metrics::all().gauge({"skillhost_http_connections", {}});
  metrics::Counter &accepted =
      metrics::all().counter({"skillhost_http_connections_accepted_total", {}});
  metrics::Counter &received = metrics::all().counter({"skillhost_http_received_bytes_total", {}});
  metrics::Gauge &unsent = metrics::all().gauge({"skillhost_http_unsent_bytes", {}});
  metrics::Counter &sent = metrics::all().counter({"skillhost_http_sent_bytes_total", {}});

  // Counts a request that the transport itself answered, by status.
  static void refusedRequest(int status) {
    metrics::all()
        .counter({"skillhost_http_requests_refused_total", {{"status", std::to_string(status)}}})
        .add();
  }
  // Counts a connection that the server ended. `reason` is one of a few fixed words.
  static void dropped(const std::string &reason) {
    metrics::all()
        .counter({"skillhost_http_connections_dropped_total", {{"reason", reason}}})
        .add();
  }
};

} // namespace skillhost::http
