// SPDX-License-Identifier: Apache-2.0
// The features that serve over HTTP beside MCP, as the build has listed them.
#pragma once

#include "app/http_feature.hpp"

namespace skillhost::app {

HttpFeatureList httpFeatures();

} // namespace skillhost::app
