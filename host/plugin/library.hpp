// SPDX-License-Identifier: Apache-2.0
// One plugin file, opened for good: the only place that knows Boost.DLL.
#pragma once

#include "ground/result.hpp"
#include "plugin/executor.hpp"

#include <skillhost/plugin.h>
#include <skillhost/tools.h>

#include <string>
#include <string_view>

namespace skillhost {

// The kinds that this host knows, as plugin.h and tools.h name them.
inline constexpr std::string_view sourceKind = "skh.source/1", searchKind = "skh.search/1",
                                  authKind = "skh.auth/1", toolsKind = SKH_TOOLS_KIND;

// Refuses a file or its folder when somebody else may write it: such a file is somebody else's
// code.
Status checkOwnership(const std::string &path);

// Opens `path` (absolute, canonical) and checks its entry: magic, size and minors, before any
// function of the plugin is called. Never unloaded. The failure says what is wrong. With a `copy`,
// the descriptor of a PluginCopy that stays open for good, that is opened in place of the file.
Result<const skh_entry *> openPlugin(const std::string &path, int copy = -1);

// By what a plugin's descriptor says of it. Whoever asks another machine who a caller is mostly
// waits, and the next caller need not wait with it.
inline LaneCalls laneCallsOf(std::string_view kind, std::uint32_t flags) noexcept {
  if ((flags & SKH_SERIAL) != 0) return LaneCalls::Serial;
  return kind == authKind && (flags & SKH_NETWORK) != 0 ? LaneCalls::Remote : LaneCalls::Local;
}

// What the contract asks of a descriptor before anything else of it is used.
bool isComplete(const skh_plugin &plugin);

} // namespace skillhost
