// SPDX-License-Identifier: Apache-2.0
#include "app/http_feature.hpp"
#include "server_card.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

constexpr const char *usualDescription = "Serves Agent Skills to MCP clients.";

class ServerCardFeature final : public HttpFeature {
public:
  explicit ServerCardFeature(ServerCardTexts texts) : texts_(std::move(texts)) {}

  std::shared_ptr<RouteHandler> handler(const HttpParts &parts) override {
    return std::make_shared<ServerCard>(texts_, parts);
  }

private:
  const ServerCardTexts texts_;
};

// A name requires http.public_url, which is checked when the configuration is read.
std::unique_ptr<HttpFeature> makeServerCard(const Configuration &configuration,
                                            const std::vector<HttpEndpoint> & /*endpoints*/) {
  const std::optional<std::string> name = configuration.features.textIfAny("server_card.name");
  if (!name) return nullptr;
  if (!isServerName(*name))
    throw std::runtime_error("server_card.name: \"" + *name +
                             "\" is no name of a server: write your domain in reverse, a slash and "
                             "a word of your own, such as com.example/skills");
  return std::make_unique<ServerCardFeature>(ServerCardTexts{
      *name, configuration.features.textIfAny("server_card.description").value_or(usualDescription),
      SKILLHOST_VERSION});
}

} // namespace

MakeHttpFeature serverCardFeature() { return makeServerCard; }

} // namespace skillhost::app
