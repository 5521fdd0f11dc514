// SPDX-License-Identifier: Apache-2.0
// Exactly one feature carries out state.plugin. Without one, each replica would keep its own
// sessions and limits, and nobody would notice; of two, one would be ignored.
#pragma once

#include "app/host_features.hpp"

namespace skillhost::app {

// Throws std::runtime_error if more than one such feature was built. If none was built and the
// configuration names an engine, throws one that names the place of the key.
void checkSharedStores(const Configuration &configuration, const SharedStoreKinds &built);

} // namespace skillhost::app
