// SPDX-License-Identifier: Apache-2.0
#include "app/http_feature.hpp"

#include <utility>

namespace skillhost::app {

HttpFeatures makeHttpFeatures(const HttpFeatureList &list, const Configuration &configuration,
                              const std::vector<HttpEndpoint> &endpoints) {
  HttpFeatures features;
  for (const MakeHttpFeature make : list)
    if (auto feature = make(configuration, endpoints)) features.push_back(std::move(feature));
  return features;
}

} // namespace skillhost::app
