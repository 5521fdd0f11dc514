// SPDX-License-Identifier: Apache-2.0
// The settings for running the plugin of an instance, the same for sources, tools, search and auth.
#pragma once

#include "base/network_rule.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

// The place where an instance runs. Auto: the host's own plugins run in its process, and each other
// one in a process of its own. So do our own sources that read what strangers send, if strangers
// reach the host.
enum class Isolation : std::uint8_t { Auto, Thread, Process };

struct RunSettings {
  Isolation isolation = Isolation::Auto;
  // For a process of its own: the absolute paths that it may read besides those in its
  // configuration, the most memory that it may have, and the most that its cache folder may hold,
  // in megabytes (0: no limit).
  std::vector<std::string> allowRead;
  std::size_t memoryMegabytes = 1'024;
  std::size_t cacheMegabytes = 2'048;
  // It only narrows what the plugin says it needs. Any rule but Auto needs a process of its own,
  // and with Isolation::Auto the instance gets one.
  NetworkRule network;
  std::size_t threads = 0; // calls at once, at most 64; 0: the number of threadCountFor()

  friend bool operator==(const RunSettings &a, const RunSettings &b) {
    return a.isolation == b.isolation && a.allowRead == b.allowRead &&
           a.memoryMegabytes == b.memoryMegabytes && a.cacheMegabytes == b.cacheMegabytes &&
           a.network.text() == b.network.text() && a.threads == b.threads;
  }
};

} // namespace skillhost
