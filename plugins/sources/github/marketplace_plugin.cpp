// SPDX-License-Identifier: Apache-2.0
#include "marketplace_plugin.hpp"

#include "http_client/address_guard.hpp"
#include "paths/names.hpp"

#include <skillhost/plugin.hpp>

namespace skillhost::github {
namespace {

// Returns "https://github.com/owner" for "https://github.com/owner/name"; "" for an address that
// another program may read differently.
std::string ownerOf(const Address &address) {
  const std::string path = address.path + "/";
  for (const char *const forbidden : {"%", "//", "/./", "/../"})
    if (path.find(forbidden) != std::string::npos) return {};
  return address.url.substr(0, address.url.rfind('/'));
}

bool isWeb(const Address &address) {
  return address.scheme == Scheme::https || address.scheme == Scheme::http;
}

} // namespace

Address addressOf(const MarketplacePlugin &plugin, const Settings &settings) {
  Address address(plugin.url, settings.baseUrl);
  const bool isBeside = settings.address.scheme == Scheme::file && address.scheme == Scheme::file;
  const bool isLocal = isBeside || (isWeb(address) && web::namesAddress(address.host));
  if (isLocal && settings.allowPrivateAddresses) return address;
  if (isLocal || address.scheme != Scheme::https)
    throw skh::Error(SKH_INVALID, "url: \"" + paths::printable(address.url) +
                                      "\" must begin with https:// and the name of a host");
  return address;
}

bool isOfSameOwner(const Address &one, const Address &other) {
  return isWeb(one) && one.scheme == other.scheme && !ownerOf(one).empty() &&
         ownerOf(one) == ownerOf(other);
}

std::string titleOf(const MarketplacePlugin &plugin) {
  const std::size_t at = plugin.url.rfind('@');
  return "the plugin \"" + paths::printable(plugin.name) + "\" of " +
         paths::printable(at == std::string::npos ? plugin.url : "***" + plugin.url.substr(at));
}

} // namespace skillhost::github
