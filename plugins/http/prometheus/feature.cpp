// SPDX-License-Identifier: Apache-2.0
#include "app/http_feature.hpp"
#include "base/log.hpp"
#include "listen_addresses.hpp"
#include "metrics_endpoint.hpp"

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

// Addresses where /metrics is served by itself; none: it is beside MCP.
std::vector<std::string> metricsAddresses(const Configuration &configuration) {
  return configuration.features.texts(metricsListen.name);
}

// The token that is asked for on these addresses; none: nobody is asked.
std::optional<std::string> metricsToken(const Configuration &configuration) {
  return configuration.features.textIfAny("metrics.token");
}

// Throws std::runtime_error that quotes what is wrong and says what to write.
HttpSettings metricsSettings(const Configuration &configuration) {
  HttpSettings settings;
  for (const std::string &one : metricsAddresses(configuration))
    settings.addresses.push_back(addressOf(one, std::nullopt, metricsListen));
  settings.certificateFile = configuration.http.tlsCertificate.value_or("");
  settings.keyFile = configuration.http.tlsKey.value_or("");
  settings.maxConnections = 100; // monitoring systems are few
  settings.maxBodyBytes = 0;
  return settings;
}

void refuseStrangersWithoutToken(const Configuration &configuration,
                                 const std::vector<HttpEndpoint> &endpoints) {
  if (metricsToken(configuration) || configuration.http.allowAnonymous) return;
  for (const HttpEndpoint &one : endpoints)
    if (!one.local)
      throw std::runtime_error("metrics.listen: other machines can reach " + one.name +
                               ", and nothing asks who they are: set metrics.token, or "
                               "http.allow_anonymous");
}

HttpRules rulesFor(const HttpConfiguration &http, const std::vector<HttpEndpoint> &endpoints) {
  HttpRules rules;
  // A machine that scrapes knows this one by any of its names. What other machines reach has a
  // token, or is meant for everybody; a page in a browser here reaches what is local.
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

// The metrics beside MCP.
class MetricsBesideMcp final : public HttpFeature {
public:
  std::shared_ptr<RouteHandler> handler(const HttpParts &parts) override {
    return std::make_shared<MetricsRoute>(parts.access);
  }
};

// The metrics on addresses of their own, whatever the transport of MCP is.
class MetricsListener final : public HttpFeature {
public:
  // Takes the addresses; nobody can connect yet. Throws std::runtime_error when one is wrong, is
  // taken, or is open to strangers.
  explicit MetricsListener(const Configuration &configuration)
      : secure_(configuration.http.tlsCertificate.has_value()),
        server_(metricsSettings(configuration),
                [this](const std::shared_ptr<HttpExchange> &exchange) {
                  endpoint_->handle(exchange);
                }) {
    server_.bind();
    refuseStrangersWithoutToken(configuration, server_.endpoints());
    endpoint_.emplace(rulesFor(configuration.http, server_.endpoints()),
                      Secret(metricsToken(configuration).value_or("")));
  }
  // Ends it in order, and waits for that.
  ~MetricsListener() override {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }
  MetricsListener(const MetricsListener &) = delete;
  MetricsListener &operator=(const MetricsListener &) = delete;

  // On a thread of its own.
  void begin() override {
    server_.listen();
    for (const HttpEndpoint &one : server_.endpoints()) tellMetricsAddress(one);
    thread_ = std::thread([this] {
      ::pthread_setname_np(::pthread_self(), "metrics");
      sigset_t all;
      ::sigfillset(&all); // signals are for others
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      server_.run();
    });
  }
  void reloadCertificates() override {
    if (!secure_) return;
    if (const Status status = server_.reloadCertificates(); !status)
      log::error("server",
                 "the certificate of metrics.listen stays as it was: " + status.failure().message);
  }

private:
  const bool secure_;
  std::optional<MetricsEndpoint> endpoint_; // since the addresses are known
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
