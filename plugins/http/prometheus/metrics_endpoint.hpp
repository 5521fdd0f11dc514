// SPDX-License-Identifier: Apache-2.0
// Serves the metrics of this process over HTTP: beside MCP, or on a listener of their own.
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

// Serves metricsPath beside MCP to callers with the permission to manage. A caller who does not see
// all skills gets only series that do not count hidden ones.
class MetricsRoute final : public RouteHandler {
public:
  // `access` must outlive the route.
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
  // `rules` say which hosts and origins are allowed. If the token is empty, none is required.
  MetricsEndpoint(HttpRules rules, Secret token)
      : rules_(std::move(rules)), token_(std::move(token)) {}

  void handle(const std::shared_ptr<HttpExchange> &exchange) const;

private:
  const HttpRules rules_;
  const Secret token_;
};

} // namespace skillhost
