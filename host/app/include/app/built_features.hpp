// SPDX-License-Identifier: Apache-2.0
// The features that the program was built with: its main() passes them to the start.
#pragma once

#include "app/http_feature.hpp"
#include "app/observer_feature.hpp"

namespace skillhost::app {

struct BuiltFeatures {
  ObserverFeatureList observers;
  HttpFeatureList http;
};

} // namespace skillhost::app
