// SPDX-License-Identifier: Apache-2.0
#include "app/http_feature.hpp"
#include "base/log.hpp"
#include "listen_addresses.hpp"
#include "metrics_endpoint.hpp"
#include "net/listen_address.hpp"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace skillhost::app {
namespace {

constexpr AddressKey metricsListen{"metrics.listen", "HOST:PORT, [V6]:PORT or unix:/PATH"};

// Returns the addresses that serve only /metrics; none: the metrics are served beside MCP.
std::vector<std::string> metricsAddresses(const Configuration &configuration) {
  return configuration.features.texts(metricsListen.name);
}

// Returns the token that these addresses require; nothing: they require none.
std::optional<std::string> metricsToken(const Configuration &configuration) {
  return configuration.features.textIfAny("metrics.token");
}

// Throws std::runtime_error that quotes a wrong value and says what to write.
HttpSettings metricsSettings(const Configuration &configuration) {
  HttpSettings settings;
  for (const std::string &one : metricsAddresses(configuration))
    settings.addresses.push_back(addressOf(one, std::nullopt, metricsListen));
  settings.certificateFile = configuration.http.tlsCertificate.value_or("");
  settings.keyFile = configuration.http.tlsKey.value_or("");
  settings.maxConnections = 100; // there are only a few monitoring systems
  settings.maxBodyBytes = 0;
  return settings;
}

void refuseStrangersWithoutToken(const Configuration &configuration,
                                 const std::vector<HttpEndpoint> &endpoints) {
  if (metricsToken(configuration) || configuration.http.allowAnonymous) return;
  for (const HttpEndpoint &one : endpoints)
    if (!one.local)
      throw std::runtime_error(
          "metrics.listen: other machines can reach " + one.name +
          " without authentication: set metrics.token, or http.allow_anonymous");
}

HttpRules rulesFor(const HttpConfiguration &http, const std::vector<HttpEndpoint> &endpoints) {
  HttpRules rules;
  // A machine that scrapes may use any name of this one, so the Host field is checked only if all
  // addresses are local. Addresses that other machines can reach require a token or are meant for
  // everybody; local ones have to be protected from pages in a browser.
  if (std::all_of(endpoints.begin(), endpoints.end(),
                  [](const HttpEndpoint &one) { return one.local; }))
    rules.hosts = allowedHosts(http, endpoints);
  rules.origins = allowedOrigins(http);
  return rules;
}

void tellMetricsAddress(const HttpEndpoint &one) {
  const std::string path(metricsPath);
  const bool isUrl = !one.name.starts_with("unix:");
  log::info("server", "metrics on " + (isUrl ? urlOf(one, path) : one.name + path));
}

// Serves the metrics beside MCP.
class MetricsBesideMcp final : public HttpFeature {
public:
  std::shared_ptr<RouteHandler> handler(const HttpParts &parts) override {
    return std::make_shared<MetricsRoute>(parts.access);
  }
};

// Serves the metrics on addresses of their own, with any transport of MCP.
class MetricsListener final : public HttpFeature {
public:
  // Binds the addresses; nobody can connect yet. Throws std::runtime_error if an address is wrong,
  // in use or open to strangers.
  explicit MetricsListener(const Configuration &configuration)
      : server_(metricsSettings(configuration),
                [this](const std::shared_ptr<HttpExchange> &exchange) {
                  endpoint_->handle(exchange);
                }) {
    server_.bind();
    refuseStrangersWithoutToken(configuration, server_.endpoints());
    endpoint_.emplace(rulesFor(configuration.http, server_.endpoints()),
                      Secret(metricsToken(configuration).value_or("")));
  }
  // Stops the listener in order and waits for its end.
  ~MetricsListener() override {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }
  MetricsListener(const MetricsListener &) = delete;
  MetricsListener &operator=(const MetricsListener &) = delete;

  // Serves on a thread of its own.
  void begin() override {
    server_.listen();
    for (const HttpEndpoint &one : server_.endpoints()) tellMetricsAddress(one);
    thread_ = std::thread([this] {
      ::pthread_setname_np(::pthread_self(), "metrics");
      sigset_t all;
      ::sigfillset(&all); // other threads handle signals
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      server_.run();
    });
  }
  std::string reloadCertificates() override {
    const Status status = server_.reloadCertificates(); // without TLS it does nothing
    if (status) return {};
    return "the certificate of metrics.listen stays as it was: " + status.failure().message;
  }

private:
  std::optional<MetricsEndpoint> endpoint_; // has a value once the addresses are known
  HttpServer server_;
  std::thread thread_;
};

std::unique_ptr<HttpFeature> makePrometheus(const Configuration &configuration,
                                            const std::vector<HttpEndpoint> & /*endpoints*/) {
  if (!metricsAddresses(configuration).empty())
    return std::make_unique<MetricsListener>(configuration);
  return std::make_unique<MetricsBesideMcp>();
}

} // namespace

MakeHttpFeature prometheusFeature() { return makePrometheus; }

} // namespace skillhost::app
