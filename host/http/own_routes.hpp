// SPDX-License-Identifier: Apache-2.0
// The routes that every server has.
#pragma once

#include "route_table.hpp"

#include <string>

namespace skillhost {

struct OwnAnswers {
  RouteTable::Handler mcp, metadata, health, readiness;
};

// Claims the paths that every server has. MCP is at `mcpPath`.
void addOwnRoutes(RouteTable &table, const std::string &mcpPath, const OwnAnswers &answers);

} // namespace skillhost
