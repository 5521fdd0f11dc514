// SPDX-License-Identifier: Apache-2.0
// What is counted of HTTP connections.
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

  // A request that was answered by the transport itself: the reason is the status.
  static void refusedRequest(int status) {
    metrics::all()
        .counter({"skillhost_http_requests_refused_total", {{"status", std::to_string(status)}}})
        .add();
  }
  // A connection that the server has ended; the reason is one of a few words.
  static void dropped(const std::string &reason) {
    metrics::all()
        .counter({"skillhost_http_connections_dropped_total", {{"reason", reason}}})
        .add();
  }
};

} // namespace skillhost::http
