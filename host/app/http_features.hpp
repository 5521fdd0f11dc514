// SPDX-License-Identifier: Apache-2.0
// The features that serve over HTTP beside MCP.
#pragma once

#include "app/http_feature.hpp"

#include <memory>
#include <vector>

namespace skillhost::app {

using HttpFeatures = std::vector<std::unique_ptr<HttpFeature>>;

// All that the configuration wants; see MakeHttpFeature.
HttpFeatures makeHttpFeatures(const Configuration &configuration,
                              const std::vector<HttpEndpoint> &endpoints);

} // namespace skillhost::app
