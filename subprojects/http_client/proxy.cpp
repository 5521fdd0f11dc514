// SPDX-License-Identifier: Apache-2.0
#include "proxy.hpp"

#include <cstdlib>
#include <string_view>

namespace skillhost::web {
namespace {

std::string fromEnvironment(const char *lower, const char *upper) {
  for (const char *const name : {lower, upper})
    if (const char *const value = std::getenv(name); value != nullptr && *value != '\0')
      return value;
  return {};
}

// "example.org" and ".example.org" are the domain and all below it; "*" is everything.
bool isExempt(const std::string &host, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = list.find_first_of(", ");
    std::string_view one = list.substr(0, end);
    list = end == list.npos ? std::string_view{} : list.substr(end + 1);
    while (one.starts_with('.')) one.remove_prefix(1);
    if (one.empty()) continue;
    if (one == "*" || one == host ||
        (host.size() > one.size() + 1 && host.ends_with(one) &&
         host[host.size() - one.size() - 1] == '.'))
      return true;
  }
  return false;
}

} // namespace

std::string proxyFor(const std::string &host) {
  std::string proxy = fromEnvironment("https_proxy", "HTTPS_PROXY");
  if (proxy.empty()) proxy = fromEnvironment("all_proxy", "ALL_PROXY");
  const bool exempt = !proxy.empty() && isExempt(host, fromEnvironment("no_proxy", "NO_PROXY"));
  return exempt ? std::string{} : proxy;
}

std::string forwarder() { return fromEnvironment("SKILLHOST_FORWARDER", "SKILLHOST_FORWARDER"); }

} // namespace skillhost::web
