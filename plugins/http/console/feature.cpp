// SPDX-License-Identifier: Apache-2.0
#include "app/http_feature.hpp"
#include "base/log.hpp"
#include "console.hpp"
#include "net/listen_address.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace skillhost::app {
namespace {

// Says whether the page at /console is served. Auto serves it if the server is local or identifies
// its callers.
enum class ConsoleUse : std::uint8_t { Auto, On, Off };

ConsoleUse consoleUse(const Configuration &configuration) {
  const std::string use = configuration.features.text("http.console");
  return use == "on" ? ConsoleUse::On : use == "off" ? ConsoleUse::Off : ConsoleUse::Auto;
}

class ConsoleFeature final : public HttpFeature {
public:
  explicit ConsoleFeature(std::vector<std::string> origins) : origins_(std::move(origins)) {}

  std::shared_ptr<RouteHandler> handler(const HttpParts &parts) override {
    return std::make_shared<Console>(consolePage(), parts, origins_);
  }
  std::string notice(const HttpEndpoint &endpoint) const override {
    if (endpoint.name.starts_with("unix:")) return {};
    return "its console is at " + urlOf(endpoint, "/console/");
  }

private:
  const std::vector<std::string> origins_;
};

// Throws std::runtime_error if the console is requested and was not built.
std::unique_ptr<HttpFeature> makeConsole(const Configuration &configuration,
                                         const std::vector<HttpEndpoint> &endpoints) {
  const ConsoleUse use = consoleUse(configuration);
  if (use == ConsoleUse::Off || configuration.transport != Transport::Http) return nullptr;
  const bool isLocal = std::all_of(endpoints.begin(), endpoints.end(),
                                   [](const HttpEndpoint &one) { return one.local; });
  const bool asksWho = configuration.auth.plugin != "none";
  if (use == ConsoleUse::Auto && (consolePage().empty() || !(isLocal || asksWho))) return nullptr;
  if (consolePage().empty())
    throw std::runtime_error("http.console: this server was built without the console: set it to "
                             "auto or off, or build the server where Node and npm are");
  if (!isLocal && !asksWho)
    log::warning("server", "http.console is on and other machines can reach it without "
                           "authentication, so everybody sees all skills: set auth.plugin");
  return std::make_unique<ConsoleFeature>(configuration.features.texts("http.console_origins"));
}

} // namespace

MakeHttpFeature consoleFeature() { return makeConsole; }

} // namespace skillhost::app
