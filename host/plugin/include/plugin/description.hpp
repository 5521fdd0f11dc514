// SPDX-License-Identifier: Apache-2.0
// Describes a plugin, and an instance made from it, for an operator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

enum class PluginState : std::uint8_t {
  Found,        // a file that was not examined yet
  Incompatible, // cannot be used: the reason says why
  Unconfigured, // usable, but no instance names it
  Loaded,
  Degraded,      // works, but its last call failed, or it reports that it is degraded
  Failed,        // could not be created, or its configuration is wrong
  Broken,        // refused for now after too many faults (circuit open)
  CrashedAtScan, // examining it ended the process that examined it
  NotUsed,       // another file has a plugin with the same id
};
std::string_view name(PluginState state) noexcept;

struct PluginDescription {
  std::string file; // canonical absolute path
  std::string kind, id, version, summary, licence;
  PluginState state = PluginState::Found;
  std::string reason;      // set in all bad states; in a good one it may be a remark
  std::string isolation;   // "thread" or "process": where it runs, or would run
  std::string confinement; // what confines its process, if it has one
  std::string network;     // what an instance may reach: "any", "none", or the hosts
  std::string instance;    // name in the configuration, if an instance was made
};

} // namespace skillhost
