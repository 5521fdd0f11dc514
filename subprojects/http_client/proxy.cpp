// SPDX-License-Identifier: Apache-2.0
#include "proxy.hpp"

#include "ground/no_proxy.hpp"

#include <cstdlib>

namespace skillhost::web {
namespace {

std::string fromEnvironment(const char *lower, const char *upper) {
  for (const char *const name : {lower, upper})
    if (const char *const value = std::getenv(name); value != nullptr && *value != '\0')
      return value;
  return {};
}

} // namespace

std::string proxyFor(const std::string &host) {
  std::string proxy = fromEnvironment("https_proxy", "HTTPS_PROXY");
  if (proxy.empty()) proxy = fromEnvironment("all_proxy", "ALL_PROXY");
  const bool exempt =
      !proxy.empty() && isProxyExempt(host, fromEnvironment("no_proxy", "NO_PROXY"));
  return exempt ? std::string{} : proxy;
}

std::string forwarder() { return fromEnvironment("SKILLHOST_FORWARDER", "SKILLHOST_FORWARDER"); }

} // namespace skillhost::web
