// SPDX-License-Identifier: Apache-2.0
// Lists the features that every program with a host was built with.
#pragma once

#include "app/source_filter.hpp"

#include <string_view>
#include <vector>

namespace skillhost::app {

// A feature through which replicas share state.
struct SharedStoreKind {
  std::string_view name; // name of its folder
  // Makes the store that state.* describes, without checking whether its engine can be reached.
  // Throws std::runtime_error that names the key if the plugin is missing or cannot be made, or a
  // setting is wrong.
  std::shared_ptr<SharedStore> (*make)(const Configuration &configuration, PluginRegistry &plugins);
};
using SharedStoreKinds = std::vector<SharedStoreKind>;

struct HostFeatures {
  FilterKinds filters{};           // in the order from the source outwards
  SharedStoreKinds sharedStores{}; // at most one; a host with more does not start
};

// Meson generates this function. Every program that makes a Host links it.
HostFeatures builtForHosts();

} // namespace skillhost::app
