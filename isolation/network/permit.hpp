// SPDX-License-Identifier: Apache-2.0
// A permit holds one instance's rights in the forwarder and reports refused connections.
#pragma once

#include "base/network_rule.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace skillhost::network {

class Permit {
public:
  Permit(std::string named, NetworkRule allowed, std::string secret)
      : instance(std::move(named)), rule(std::move(allowed)), credentials(std::move(secret)) {}

  // Counts (skillhost_network_refused_total) and logs "connection to `what`, `why`". If there are
  // many in a minute, it logs only their number. Only the forwarder's thread may call it.
  void reportRefused(const std::string &what, const std::string &why);

  const std::string instance;
  const NetworkRule rule;
  const std::string credentials; // value of Proxy-Authorization that the instance must send
  std::size_t open = 0;          // number of connections; only for the forwarder's thread
  std::atomic<bool> withdrawn{false};

private:
  std::chrono::steady_clock::time_point since_{};
  std::size_t logged_ = 0, silent_ = 0;
};

} // namespace skillhost::network
