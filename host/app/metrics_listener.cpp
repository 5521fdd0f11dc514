// SPDX-License-Identifier: Apache-2.0
#include "metrics_listener.hpp"

#include "base/log.hpp"
#include "listen_addresses.hpp"

#include <pthread.h>

#include <csignal>
#include <stdexcept>
#include <string>

namespace skillhost::app {
namespace {

void refuseStrangersWithoutToken(const Configuration &configuration,
                                 const std::vector<HttpEndpoint> &endpoints) {
  if (configuration.metrics.token || configuration.http.allowAnonymous) return;
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
  const bool isUrl = !one.name.starts_with("unix:");
  const std::string scheme = one.secure ? "https://" : "http://";
  log::info("server", "metrics on " + (isUrl ? scheme : "") + one.name + std::string(metricsPath));
}

} // namespace

MetricsListener::MetricsListener(const Configuration &configuration)
    : secure_(configuration.http.tlsCertificate.has_value()),
      server_(
          metricsSettings(configuration),
          [this](const std::shared_ptr<HttpExchange> &exchange) { endpoint_->handle(exchange); }) {
  server_.bind();
  refuseStrangersWithoutToken(configuration, server_.endpoints());
  endpoint_.emplace(rulesFor(configuration.http, server_.endpoints()),
                    Secret(configuration.metrics.token.value_or("")));
}

std::unique_ptr<MetricsListener> MetricsListener::bound(const Configuration &configuration) {
  if (configuration.metrics.listen.empty()) return nullptr;
  return std::unique_ptr<MetricsListener>(new MetricsListener(configuration));
}

MetricsListener::~MetricsListener() {
  server_.stop();
  if (thread_.joinable()) thread_.join();
}

void MetricsListener::begin() {
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

void MetricsListener::reloadCertificates() {
  if (!secure_) return;
  if (const Status status = server_.reloadCertificates(); !status)
    log::error("server",
               "the certificate of metrics.listen stays as it was: " + status.failure().message);
}

} // namespace skillhost::app
