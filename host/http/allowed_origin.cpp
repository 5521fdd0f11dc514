// SPDX-License-Identifier: Apache-2.0
#include "http/allowed_origin.hpp"

#include "ground/text.hpp"
#include "ground/url.hpp"

#include <algorithm>
#include <string_view>

namespace skillhost {
namespace {

bool isNumber(std::string_view host) {
  return host.starts_with('[') || host == "localhost" ||
         (!host.empty() && host.find_first_not_of("0123456789.") == std::string_view::npos);
}

bool contains(const std::vector<std::string> &all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

} // namespace

std::string foreignOrigin(const HttpRequest &request, const HttpRules &rules) {
  const std::string host = asciiLowered(request.field("host").value_or(std::string_view{}));
  if (!rules.hosts.empty() && !contains(rules.hosts, withoutPort(host)))
    return "the Host field names no host of this server";
  const auto given = request.field("origin");
  if (!given) return {};
  const std::string origin = asciiLowered(*given);
  if (contains(rules.origins, origin) || contains(rules.origins, "*")) return {};
  const auto parts = urlParts(origin);
  const std::string_view authority = parts ? parts->authority : std::string_view{};
  if (!parts || !parts->rest.empty() || !isAuthority(authority))
    return "the Origin field names no origin that may ask";
  // Without a list of names, only an address in digits (or localhost) is accepted: a stranger can
  // make any other name point to this machine.
  const bool known = rules.hosts.empty() ? authority == host && isNumber(withoutPort(host))
                                         : contains(rules.hosts, withoutPort(authority));
  return known ? std::string() : "the Origin field names no origin that may ask";
}

void allowReading(const HttpRequest &request, HttpFields &fields) {
  const auto origin = request.field("origin");
  if (!origin) return;
  fields.emplace_back("Access-Control-Allow-Origin", *origin);
  fields.emplace_back("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
  fields.emplace_back("Vary", "Origin");
}

void allowAsking(const HttpRequest &request, HttpFields &fields) {
  if (!request.field("origin")) return;
  std::string names = "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, "
                      "MCP-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate";
  // Only the tools define which arguments are repeated in fields, so every requested name of that
  // kind is allowed.
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
