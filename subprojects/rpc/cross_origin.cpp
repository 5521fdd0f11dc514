// SPDX-License-Identifier: Apache-2.0
#include "rpc/cross_origin.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skillhost {

void addCorsFields(const HttpRequest &request, HttpFields &fields) {
  const auto origin = request.field("origin");
  if (!origin) return;
  fields.emplace_back("Access-Control-Allow-Origin", *origin);
  fields.emplace_back("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
  fields.emplace_back("Vary", "Origin");
}

void addCorsPreflightFields(const HttpRequest &request, HttpFields &fields) {
  if (!request.field("origin")) return;
  std::string names = "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, "
                      "MCP-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate";
  // Only the tools know which arguments are repeated in fields, so every such field is allowed.
  std::string asked = asciiLowered(request.field("access-control-request-headers").value_or(""));
  std::erase(asked, ' ');
  for (std::size_t at = 0; at < asked.size();) {
    const std::size_t comma = std::min(asked.find(',', at), asked.size());
    const std::string name = asked.substr(at, comma - at);
    if (name.starts_with("mcp-param-")) (names += ", ") += name;
    at = comma + 1;
  }
  fields.emplace_back("Access-Control-Allow-Methods", "POST, GET, DELETE");
  fields.emplace_back("Access-Control-Allow-Headers", std::move(names));
  fields.emplace_back("Access-Control-Max-Age", "3600");
}

} // namespace skillhost
