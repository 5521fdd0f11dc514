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
  explicit GitFeature(std::string marketplace) : marketplace_(std::move(marketplace)) {}

  std::shared_ptr<RouteHandler> handler(const HttpParts &parts) override {
    return std::make_shared<git::GitEndpoint>(parts, marketplace_);
  }

private:
  const std::string marketplace_;
};

std::unique_ptr<HttpFeature> makeGit(const Configuration &configuration,
                                     const std::vector<HttpEndpoint> & /*endpoints*/) {
  if (!configuration.features.flag("http.git")) return nullptr;
  const std::string name = configuration.features.text("http.git_plugin");
  if (const std::string_view fault = git::faultInMarketplaceName(name); !fault.empty())
    throw std::runtime_error("http.git_plugin: \"" + name + "\" " + std::string(fault));
  return std::make_unique<GitFeature>(git::marketplaceText(name));
}

} // namespace

MakeHttpFeature gitFeature() { return makeGit; }

} // namespace skillhost::app
