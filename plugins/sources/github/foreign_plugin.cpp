// SPDX-License-Identifier: Apache-2.0
#include "foreign_plugin.hpp"

#include <skillhost/plugin.hpp>

namespace skillhost::github {
namespace {

// "https://github.com/owner" of "https://github.com/owner/name".
std::string ownerOf(const Address &address) {
  return address.url.substr(0, address.url.rfind('/'));
}

} // namespace

Address addressOf(const ForeignPlugin &plugin, const Settings &settings) {
  Address address(plugin.url, settings.baseUrl);
  const bool isBeside = settings.address.scheme == Scheme::file && address.scheme == Scheme::file;
  const bool isLocal = isBeside || address.scheme == Scheme::http;
  if (address.scheme != Scheme::https && !(isLocal && settings.allowPrivateAddresses))
    throw skh::Error(SKH_INVALID, "url: \"" + address.url + "\" must begin with https://");
  return address;
}

bool isOfSameOwner(const Address &one, const Address &other) {
  const bool isWeb = one.scheme == Scheme::https || one.scheme == Scheme::http;
  return isWeb && one.scheme == other.scheme && ownerOf(one) == ownerOf(other);
}

} // namespace skillhost::github
