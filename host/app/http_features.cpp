// SPDX-License-Identifier: Apache-2.0
#include "http_features.hpp"

#include <array>
#include <utility>

namespace skillhost::app {

// Each is in the source of its name in http_features/.
std::unique_ptr<HttpFeature> consoleFeature(const Configuration &configuration,
                                            const std::vector<HttpEndpoint> &endpoints);
std::unique_ptr<HttpFeature> prometheusFeature(const Configuration &configuration,
                                               const std::vector<HttpEndpoint> &endpoints);
std::unique_ptr<HttpFeature> publishedIndexFeature(const Configuration &configuration,
                                                   const std::vector<HttpEndpoint> &endpoints);
std::unique_ptr<HttpFeature> webhookFeature(const Configuration &configuration,
                                            const std::vector<HttpEndpoint> &endpoints);

HttpFeatures makeHttpFeatures(const Configuration &configuration,
                              const std::vector<HttpEndpoint> &endpoints) {
  constexpr std::array<MakeHttpFeature, 4> makers{&consoleFeature, &prometheusFeature,
                                                  &publishedIndexFeature, &webhookFeature};
  HttpFeatures features;
  for (const MakeHttpFeature make : makers)
    if (auto feature = make(configuration, endpoints)) features.push_back(std::move(feature));
  return features;
}

} // namespace skillhost::app
