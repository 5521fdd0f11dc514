// SPDX-License-Identifier: Apache-2.0
#include "net/allowed_origin.hpp"

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

std::string foreignOrigin(const HttpRequest &request, const AllowedOrigins &allowed) {
  const std::string host = asciiLowered(request.field("host").value_or(std::string_view{}));
  if (!allowed.hosts.empty() && !contains(allowed.hosts, withoutPort(host)))
    return "the Host field names no host of this server";
  const auto given = request.field("origin");
  if (!given) return {};
  const std::string origin = asciiLowered(*given);
  if (contains(allowed.origins, origin) || contains(allowed.origins, "*")) return {};
  const auto parts = urlParts(origin);
  const std::string_view authority = parts ? parts->authority : std::string_view{};
  if (!parts || !parts->rest.empty() || !isAuthority(authority))
    return "the Origin field names no origin that may ask";
  // Without a list of hosts, only an IP address is accepted, because a stranger can make any name
  // point at this machine.
  const bool known = allowed.hosts.empty() ? authority == host && isNumber(withoutPort(host))
                                           : contains(allowed.hosts, withoutPort(authority));
  return known ? std::string() : "the Origin field names no origin that may ask";
}

} // namespace skillhost
