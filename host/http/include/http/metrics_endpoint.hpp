// SPDX-License-Identifier: Apache-2.0
// The figures of this process over HTTP: the answer, and a listener that serves nothing else.
#pragma once

#include "base/http.hpp"
#include "base/metrics.hpp"
#include "ground/secret.hpp"
#include "http/mcp_endpoint.hpp"

#include <functional>
#include <memory>

namespace skillhost {

inline constexpr std::string_view metricsPath = "/metrics";

// Answers with the series that `isTold` says, in the format that the request's Accept names.
void tellMetrics(HttpExchange &exchange,
                 const std::function<bool(const metrics::SeriesName &name)> &isTold);

// Serves every series at metricsPath. Any thread.
class MetricsEndpoint {
public:
  // `rules`: which hosts and origins may be named. An empty token: nobody is asked for one.
  MetricsEndpoint(HttpRules rules, Secret token)
      : rules_(std::move(rules)), token_(std::move(token)) {}

  void handle(const std::shared_ptr<HttpExchange> &exchange) const;

private:
  const HttpRules rules_;
  const Secret token_;
};

} // namespace skillhost
