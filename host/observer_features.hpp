// SPDX-License-Identifier: Apache-2.0
// The features that observe the server, as the build has listed them.
#pragma once

#include "app/observer_feature.hpp"

namespace skillhost::app {

ObserverFeatureList observerFeatures();

} // namespace skillhost::app
