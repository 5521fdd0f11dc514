// SPDX-License-Identifier: Apache-2.0
#include "http/route_claims.hpp"

#include "http/mcp_endpoint.hpp"
#include "own_routes.hpp"

#include <array>
#include <stdexcept>
#include <utility>

namespace skillhost {

void addOwnRoutes(RouteTable &table, const std::string &mcpPath, const OwnAnswers &answers) {
  using Extent = HttpRoute::Extent;
  for (const std::string &path : {mcpPath, mcpPath + '/'})
    table.add({path, Extent::Path}, "MCP (http.path)", answers.mcp);
  const std::string folder(metadataFolder);
  for (HttpRoute &route : std::array<HttpRoute, 2>{{{folder}, {folder + '/', Extent::Folder}}})
    table.add(std::move(route), "the metadata of the resource", answers.metadata);
  const auto probe = [&table](const char *path, const RouteTable::Handler &answer) {
    table.add({path, Extent::Path, {"GET", "HEAD"}}, "the health of the server", answer);
  };
  probe("/healthz", answers.health);
  probe("/readyz", answers.readiness);
}

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
