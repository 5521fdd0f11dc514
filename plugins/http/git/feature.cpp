// SPDX-License-Identifier: Apache-2.0
#include "app/http_feature.hpp"
#include "git_endpoint.hpp"
#include "marketplace.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

class GitFeature final : public HttpFeature {
public:
  explicit GitFeature(git::SnapshotRules rules) : rules_(std::move(rules)) {}

  std::shared_ptr<RouteHandler> handler(const HttpParts &parts) override {
    return std::make_shared<git::GitEndpoint>(parts, rules_);
  }

private:
  const git::SnapshotRules rules_;
};

std::unique_ptr<HttpFeature> makeGit(const Configuration &configuration,
                                     const std::vector<HttpEndpoint> & /*endpoints*/) {
  if (!configuration.features.flag("http.git")) return nullptr;
  const std::string name = configuration.features.text("http.git_plugin");
  if (const std::string_view fault = git::faultInMarketplaceName(name); !fault.empty())
    throw std::runtime_error("http.git_plugin: \"" + name + "\" " + std::string(fault));
  git::SnapshotRules rules;
  rules.marketplace = git::marketplaceText(name);
  rules.leakedKeys = configuration.features.flag("http.git_leaked_keys");
  return std::make_unique<GitFeature>(std::move(rules));
}

} // namespace

MakeHttpFeature gitFeature() { return makeGit; }

} // namespace skillhost::app
