// SPDX-License-Identifier: Apache-2.0
// The figures of this process over HTTP: beside MCP, or on a listener that serves nothing else.
#pragma once

#include "access/access.hpp"
#include "base/http.hpp"
#include "ground/secret.hpp"
#include "http/mcp_endpoint.hpp"
#include "http/route_handler.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

inline constexpr std::string_view metricsPath = "/metrics";

// Serves metricsPath beside MCP, to who may manage: the series that do not count what is hidden
// from them.
class MetricsRoute final : public RouteHandler {
public:
  // `access` must outlive it.
  explicit MetricsRoute(const Access &access) : access_(access) {}

  std::string name() const override { return "the metrics"; }
  std::vector<HttpRoute> routes() const override;
  void handle(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer &caller) override;

private:
  const Access &access_;
};

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
