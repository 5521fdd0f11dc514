// SPDX-License-Identifier: Apache-2.0
#include "app/http_feature.hpp"
#include "webhooks.hpp"

#include <utility>

namespace skillhost::app {
namespace {

WebhookSecrets webhookSecrets(const Configuration &from) {
  WebhookSecrets secrets;
  for (const SourceConfiguration &source : from.sources)
    if (const auto secret = source.features.textIfAny("sources[].webhook_secret");
        source.enabled && secret)
      secrets.emplace(source.name, Secret(*secret));
  return secrets;
}

class WebhookFeature final : public HttpFeature {
public:
  explicit WebhookFeature(WebhookSecrets secrets) : secrets_(std::move(secrets)) {}

  std::shared_ptr<RouteHandler> handler(const HttpParts &parts) override {
    return hooks_ = std::make_shared<Webhooks>(std::move(secrets_), parts);
  }
  void reconfigure(const Configuration &applied) override { hooks_->set(webhookSecrets(applied)); }

private:
  WebhookSecrets secrets_; // until the handler is made
  std::shared_ptr<Webhooks> hooks_;
};

// Makes the feature even if no source has a hook, because a new configuration may add one.
std::unique_ptr<HttpFeature> makeWebhook(const Configuration &configuration,
                                         const std::vector<HttpEndpoint> & /*endpoints*/) {
  if (configuration.transport != Transport::Http) return nullptr;
  return std::make_unique<WebhookFeature>(webhookSecrets(configuration));
}

} // namespace

MakeHttpFeature webhookFeature() { return makeWebhook; }

} // namespace skillhost::app
