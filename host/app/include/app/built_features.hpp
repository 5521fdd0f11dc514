// SPDX-License-Identifier: Apache-2.0
// Lists the features that the server was built with.
#pragma once

#include "app/host_features.hpp"
#include "app/http_feature.hpp"
#include "app/observer_feature.hpp"

namespace skillhost::app {

struct BuiltFeatures {
  HostFeatures host;
  ObserverFeatureList observers;
  HttpFeatureList http;
};

// Meson generates this function, and main() calls it.
BuiltFeatures builtFeatures();

} // namespace skillhost::app
