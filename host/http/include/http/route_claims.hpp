// SPDX-License-Identifier: Apache-2.0
// Checks the paths of handlers as HttpRoutes does, for a command that serves nothing.
#pragma once

#include "ground/result.hpp"
#include "http/route_handler.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost {

class RouteTable;

// Only one thread may use it.
class RouteClaims {
public:
  // Claims the paths that every server has. MCP is at `mcpPath`.
  explicit RouteClaims(const std::string &mcpPath);
  ~RouteClaims();
  RouteClaims(const RouteClaims &) = delete;
  RouteClaims &operator=(const RouteClaims &) = delete;

  // Claims all of these routes, or none if it fails, with the words of HttpRoutes.
  Status add(const std::vector<HttpRoute> &routes, const std::string &owner);

private:
  std::shared_ptr<const RouteTable> table_;
};

} // namespace skillhost
