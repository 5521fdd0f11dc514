// SPDX-License-Identifier: Apache-2.0
#include "app/http_feature.hpp"
#include "publisher.hpp"

#include <utility>

namespace skillhost::app {
namespace {

// The patterns were validated when the configuration was read.
PublishRules publishRules(const FeatureSettings &from) {
  PublishRules rules;
  rules.openly = from.flag("http.publish_openly");
  rules.leakedKeys = from.flag("http.publish_leaked_keys");
  for (const std::string &pattern : from.texts("http.publish"))
    if (Result<Glob> glob = Glob::compile(pattern)) rules.sources.push_back(*std::move(glob));
  // Another feature serves the card, and a build can lack it.
  constexpr const char *cardName = "server_card.name";
  if (FeatureSettings::isDeclared(cardName)) rules.cardName = from.textIfAny(cardName).value_or("");
  return rules;
}

class PublishedIndexFeature final : public HttpFeature {
public:
  explicit PublishedIndexFeature(PublishRules rules) : rules_(std::move(rules)) {}

  std::shared_ptr<RouteHandler> handler(const HttpParts &parts) override {
    return std::make_shared<Publisher>(rules_, parts);
  }

private:
  const PublishRules rules_;
};

std::unique_ptr<HttpFeature> makePublishedIndex(const Configuration &configuration,
                                                const std::vector<HttpEndpoint> & /*endpoints*/) {
  PublishRules rules = publishRules(configuration.features);
  if (rules.sources.empty()) return nullptr;
  return std::make_unique<PublishedIndexFeature>(std::move(rules));
}

} // namespace

MakeHttpFeature publishedIndexFeature() { return makePublishedIndex; }

} // namespace skillhost::app
