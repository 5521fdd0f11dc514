// SPDX-License-Identifier: Apache-2.0
// The features that every program with a host was built with.
#pragma once

#include "app/source_filter.hpp"

#include <string_view>
#include <vector>

namespace skillhost::app {

// A feature by which replicas share a state.
struct SharedStoreKind {
  std::string_view name; // of its folder
  // Makes the store that state.* describes; nobody has asked yet whether it can be reached. Throws
  // std::runtime_error that names the key when the plugin is missing or cannot be made, or a
  // setting is wrong.
  std::shared_ptr<SharedStore> (*make)(const Configuration &configuration, PluginRegistry &plugins);
};
using SharedStoreKinds = std::vector<SharedStoreKind>;

struct HostFeatures {
  FilterKinds filters{};           // from the source outwards
  SharedStoreKinds sharedStores{}; // the first one is used
};

// Meson writes this function; what makes a Host links it.
HostFeatures builtForHosts();

} // namespace skillhost::app
