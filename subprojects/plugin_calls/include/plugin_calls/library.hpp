// SPDX-License-Identifier: Apache-2.0
// One plugin file, opened for good: the only place that knows Boost.DLL.
#pragma once

#include "ground/result.hpp"
#include "plugin_calls/executor.hpp"

#include <skillhost/http.h>
#include <skillhost/observer.h>
#include <skillhost/plugin.h>
#include <skillhost/state.h>
#include <skillhost/tools.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// The kinds that this host knows, with their names from plugin.h and the headers of the other
// kinds.
inline constexpr std::string_view sourceKind = "skh.source/1", searchKind = "skh.search/1",
                                  authKind = "skh.auth/1", toolsKind = SKH_TOOLS_KIND,
                                  stateKind = SKH_STATE_KIND, observerKind = SKH_OBSERVER_KIND,
                                  httpKind = SKH_HTTP_KIND;

// Refuses a file if somebody else may write it or its folder, because such a file is somebody
// else's code. `remedy` is the other way, besides chmod, to deal with a folder that others may
// write; it continues that sentence.
Status checkOwnership(const std::string &path, std::string_view remedy = {});

// Opens `path` (absolute, canonical) and checks its entry (magic, size and minors) before any
// function of the plugin is called. It is never unloaded. The failure says what is wrong. With a
// `copy`, the descriptor of a PluginCopy that stays open for good, that copy is opened in place of
// the file.
Result<const skh_entry *> openPlugin(const std::string &path, int copy = -1);

// Returns how a plugin is called, by its kind and the flags of its descriptor. A plugin that asks
// another machine about callers or shared state mostly waits, so other calls do not wait for it. A
// handler of HTTP requests waits for their bodies. An observer receives one event after another.
inline CallConcurrency concurrencyOf(std::string_view kind, std::uint32_t flags) noexcept {
  if ((flags & SKH_SERIAL) != 0 || kind == observerKind) return CallConcurrency::Serial;
  if (kind == stateKind || kind == httpKind) return CallConcurrency::Remote;
  return kind == authKind && (flags & SKH_NETWORK) != 0 ? CallConcurrency::Remote
                                                        : CallConcurrency::Local;
}

// Returns how many threads one long call has for itself besides those for all: receive() of a state
// plugin.
inline std::size_t waitingThreads(std::string_view kind) noexcept {
  return kind == stateKind ? 1 : 0;
}

// Returns the number of threads that call a plugin if the configuration wants `wanted`.
inline std::size_t pluginThreads(std::string_view kind, std::uint32_t flags,
                                 std::size_t wanted) noexcept {
  return threadCountFor(concurrencyOf(kind, flags), wanted) + waitingThreads(kind);
}

// True if a descriptor has what the contract requires before anything else of it is used.
bool isComplete(const skh_plugin &plugin);

} // namespace skillhost
