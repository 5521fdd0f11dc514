// SPDX-License-Identifier: Apache-2.0
#include "own_routes.hpp"

#include "http/mcp_endpoint.hpp"

#include <array>
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

} // namespace skillhost
