// SPDX-License-Identifier: Apache-2.0
// Loads a plugin's file into this process.
#pragma once

#include "handlers/call_status.hpp"

#include <skillhost/http.h>
#include <skillhost/observer.h>
#include <skillhost/state.h>
#include <skillhost/tools.h>

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::check {

constexpr std::string_view sourceKind = "skh.source/1", searchKind = "skh.search/1",
                           authKind = "skh.auth/1", toolsKind = SKH_TOOLS_KIND,
                           stateKind = SKH_STATE_KIND, observerKind = SKH_OBSERVER_KIND,
                           httpKind = SKH_HTTP_KIND;

struct OpenedLibrary {
  const skh_entry *entry = nullptr; // as exported, not checked; null: it could not be loaded
  std::string reason;               // reason in that case
};
// Loads the file for the whole life of the process, as a host does.
OpenedLibrary openLibrary(const std::string &path);

// Returns the plugins of a valid entry whose kind has checks.
std::vector<const skh_plugin *> knownPlugins(const skh_entry &entry);

inline bool isKind(const skh_plugin &plugin, std::string_view kind) {
  return plugin.kind != nullptr && plugin.kind == kind;
}

} // namespace skillhost::check
