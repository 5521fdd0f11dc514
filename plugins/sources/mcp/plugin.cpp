// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of mcp.so.
#include "schema.hpp"
#include "source.hpp"

SKH_PLUGIN(skh::withExtensions<skh::FactsOps<skillhost::mcp_source::McpSource>>(
    skh::source<skillhost::mcp_source::McpSource>("org.skillhost.mcp", "1.0.0",
                                                  "Skills that another MCP server serves",
                                                  skillhost::mcp_source::schema, SKH_NETWORK)));
