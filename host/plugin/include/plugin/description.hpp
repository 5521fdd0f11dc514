// SPDX-License-Identifier: Apache-2.0
// What an operator sees of a plugin and of an instance made from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

enum class PluginState : std::uint8_t {
  Found,        // a file that has not been looked into
  Incompatible, // cannot be used: the reason says why
  Unconfigured, // usable, but no instance names it
  Loaded,
  Degraded,      // works, but its last call failed, or it says that it is not as configured
  Failed,        // could not be created, or its configuration is wrong
  Broken,        // refused for now after too many faults (circuit open)
  CrashedAtScan, // looking into it ended the process that looked
};
std::string_view name(PluginState state) noexcept;

struct PluginDescription {
  std::string file; // canonical absolute path
  std::string kind, id, version, summary, licence;
  PluginState state = PluginState::Found;
  std::string reason;      // for all states but the good ones, where it may be a remark
  std::string isolation;   // "thread" or "process": where it runs, or would
  std::string confinement; // what confines its process, when it has one
  std::string network;     // what an instance may reach: "any", "none", or the hosts
  std::string instance;    // the name in the configuration, when an instance was made
};

} // namespace skillhost
