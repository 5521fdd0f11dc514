// SPDX-License-Identifier: Apache-2.0
// How the plugin of an instance runs, the same for sources, tools, search and auth.
#pragma once

#include "base/network_rule.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

// Where an instance runs. Auto: the host's own plugins in its process, all others in one each; and
// of its own those sources too that read what strangers send, where strangers reach the host.
enum class Isolation : std::uint8_t { Auto, Thread, Process };

struct RunSettings {
  Isolation isolation = Isolation::Auto;
  // For a process of its own: absolute paths it may read besides those in its configuration; the
  // most memory it may have and the most that its cache folder may hold, in megabytes (0: no
  // limit).
  std::vector<std::string> allowRead;
  std::size_t memoryMegabytes = 1'024;
  std::size_t cacheMegabytes = 2'048;
  // It only narrows what the plugin says it needs. Another one than Auto needs a process of its
  // own: with Isolation::Auto it has one.
  NetworkRule network;
  std::size_t threads = 0; // calls at once, at most 64; 0: as laneThreads() has it

  friend bool operator==(const RunSettings &a, const RunSettings &b) {
    return a.isolation == b.isolation && a.allowRead == b.allowRead &&
           a.memoryMegabytes == b.memoryMegabytes && a.cacheMegabytes == b.cacheMegabytes &&
           a.network.text() == b.network.text() && a.threads == b.threads;
  }
};

} // namespace skillhost
