// SPDX-License-Identifier: Apache-2.0
#include "process/network_start.hpp"

#include "base/log.hpp"
#include "ground/child_process.hpp"

#include <array>
#include <cstdlib>
#include <string>

namespace skillhost::process {
namespace {

constexpr std::array proxies{"http_proxy", "https_proxy", "all_proxy",
                             "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"};

// Names the proxy variables whose URL contains a user or a password, which the plugin must not see.
std::vector<std::string> proxiesWithSecrets() {
  std::vector<std::string> names;
  for (const char *name : proxies)
    if (const char *value = std::getenv(name); value != nullptr && withoutUser(value) != value)
      names.emplace_back(name);
  return names;
}

} // namespace

Result<std::shared_ptr<network::ForwarderAccess>> openNetwork(const NetworkRule &rule, bool asks,
                                                              Start &start) {
  std::shared_ptr<network::ForwarderAccess> none;
  start.network = asks && rule.mode != NetworkRule::Mode::None;
  if (!start.network) return none;
  const bool isHeld = rule.mode == NetworkRule::Mode::Hosts;
  const std::vector<std::string> secret = proxiesWithSecrets();
  if (!isHeld && secret.empty()) return none;
  auto access = network::ForwarderAccess::open(start.instance, rule);
  if (!access && !isHeld && access.failure().fault == Fault::InvalidInput) {
    log::warning("network", start.instance + ": its proxy is named without user and password: " +
                                access.failure().message);
    return none;
  }
  if (!access) return access;
  start.suppliesSockets = isHeld;
  // The forwarder adds the credentials on the way.
  if (isHeld)
    for (const char *name : proxies) start.variables.push_back(name + ("=" + (*access)->url()));
  else
    for (const std::string &name : secret) start.variables.push_back(name + "=" + (*access)->url());
  // Plugins of ours that ignore the proxy variables use SKILLHOST_FORWARDER.
  if (isHeld)
    start.variables.insert(start.variables.end(),
                           {"no_proxy", "NO_PROXY", "SKILLHOST_FORWARDER=" + (*access)->url()});
  return access;
}

} // namespace skillhost::process
