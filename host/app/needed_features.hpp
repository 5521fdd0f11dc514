// SPDX-License-Identifier: Apache-2.0
// A build without a feature through which replicas share state must refuse state.plugin. Otherwise
// each replica would keep its own sessions and limits, and nobody would notice.
#pragma once

#include "app/host_features.hpp"

namespace skillhost::app {

// Throws std::runtime_error, which names the place of the key, if the configuration names an engine
// and no such feature was built.
void requireSharedStore(const Configuration &configuration, const SharedStoreKinds &built);

} // namespace skillhost::app
