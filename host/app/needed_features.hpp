// SPDX-License-Identifier: Apache-2.0
// A build without the feature by which replicas share a state must refuse state.plugin: each
// replica would keep its own sessions and limits, and nobody would notice.
#pragma once

#include "app/host_features.hpp"

namespace skillhost::app {

// Throws std::runtime_error, which names the place of the key, if the configuration wants an engine
// and nothing is built that shares by one.
void requireSharedStore(const Configuration &configuration, const SharedStoreKinds &built);

} // namespace skillhost::app
