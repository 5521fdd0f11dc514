// SPDX-License-Identifier: Apache-2.0
// Settings that protect or record something, and the features that implement them. If a build lacks
// the feature, it must refuse the setting: to ignore it would remove the protection.
#pragma once

#include "app/host_features.hpp"

#include <span>
#include <string_view>

namespace skillhost::app {

// Throws std::runtime_error with a line for each setting whose filter is not among the names of the
// built ones.
void requireFilters(const Configuration &configuration, std::span<const std::string_view> built);
// The same for the feature by which replicas share a state.
void requireSharedStore(const Configuration &configuration, const SharedStoreKinds &built);
// The same for features that observe the server.
void requireObservers(const Configuration &configuration, std::span<const std::string_view> built);

} // namespace skillhost::app
