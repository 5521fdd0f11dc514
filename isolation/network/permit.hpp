// SPDX-License-Identifier: Apache-2.0
// What one instance may do by the forwarder, and what the log hears of what it may not.
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

  // Counts (skillhost_network_refused_total) and logs "connection to `what`, `why`"; of many in a
  // minute only their number. The forwarder's thread.
  void refused(const std::string &what, const std::string &why);

  const std::string instance;
  const NetworkRule rule;
  const std::string credentials; // the value of Proxy-Authorization that it has to send
  std::size_t open = 0;          // connections; the forwarder's thread
  std::atomic<bool> withdrawn{false};

private:
  std::chrono::steady_clock::time_point since_{};
  std::size_t logged_ = 0, silent_ = 0;
};

} // namespace skillhost::network
