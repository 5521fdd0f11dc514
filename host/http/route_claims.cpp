// SPDX-License-Identifier: Apache-2.0
#include "http/route_claims.hpp"

#include "own_routes.hpp"

#include <stdexcept>
#include <utility>

namespace skillhost {

RouteClaims::RouteClaims(const std::string &mcpPath) {
  auto table = std::make_shared<RouteTable>();
  addOwnRoutes(*table, mcpPath, {});
  table_ = std::move(table);
}

RouteClaims::~RouteClaims() = default;

Status RouteClaims::add(const std::vector<HttpRoute> &routes, const std::string &owner) try {
  auto more = std::make_shared<RouteTable>(*table_);
  for (const HttpRoute &route : routes) more->add(route, owner, {});
  table_ = std::move(more);
  return Done{};
} catch (const std::runtime_error &why) {
  return {Fault::Conflict, why.what()};
}

} // namespace skillhost
