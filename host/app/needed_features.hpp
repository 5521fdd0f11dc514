// SPDX-License-Identifier: Apache-2.0
// The settings that protect or record, and the features that carry them out. A build may lack a
// feature, and must then refuse such a setting: passed over in silence it would open what it was
// written to close.
#pragma once

#include "app/host_features.hpp"

#include <span>
#include <string_view>

namespace skillhost::app {

// Throws std::runtime_error with a line for each setting of the configuration whose filter is not
// among the names of those that are built.
void requireFilters(const Configuration &configuration, std::span<const std::string_view> built);
// The same for the feature by which replicas share a state.
void requireSharedStore(const Configuration &configuration, const SharedStoreKinds &built);
// The same for features that observe the server.
void requireObservers(const Configuration &configuration, std::span<const std::string_view> built);

} // namespace skillhost::app
