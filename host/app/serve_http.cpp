// SPDX-License-Identifier: Apache-2.0
#include "serve_http.hpp"

#include "base/log.hpp"
#include "base/orderly_end.hpp"
#include "base/service_notice.hpp"
#include "features.hpp"
#include "ground/service_key.hpp"
#include "host.hpp"
#include "http/http_routes.hpp"
#include "http/mcp_endpoint.hpp"
#include "listen_addresses.hpp"
#include "net/http_server.hpp"
#include "net/listen_address.hpp"
#include "plugin_routes.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace skillhost::app {
namespace {

std::atomic<bool> stopWanted{false}, reloadWanted{false};
std::atomic<int> signalled{-1}; // an eventfd

void noteSignal(int number) {
  (number == SIGHUP ? reloadWanted : stopWanted) = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(signalled, &one, sizeof one);
}

// Handles signals on a thread of its own, because a signal handler may do almost nothing.
class Signals {
public:
  Signals(std::function<void()> stop, std::function<void()> reload)
      : descriptor_(::eventfd(0, EFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("eventfd: no descriptor left");
    signalled = descriptor_;
    set(&noteSignal);
    thread_ = std::thread([this, stop = std::move(stop), reload = std::move(reload)] {
      std::uint64_t times = 0;
      while (::read(descriptor_, &times, sizeof times) == sizeof times || !ended_) {
        if (ended_) return;
        if (reloadWanted.exchange(false)) reload();
        if (stopWanted.exchange(false)) stop();
      }
    });
  }
  ~Signals() {
    // The server ends within a known time, and may still have to log an error. Ctrl-C ends it at
    // once.
    set(SIG_IGN);
    ::signal(SIGINT, SIG_DFL);
    ended_ = true;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
    thread_.join();
    ::close(descriptor_);
  }
  Signals(const Signals &) = delete;
  Signals &operator=(const Signals &) = delete;

private:
  static void set(void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) ::sigaction(number, &action, nullptr);
  }

  const int descriptor_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

// Notifies the service manager, once, that the start has succeeded. Any thread.
class ReadyNotice {
public:
  void send() {
    if (!isTold_.exchange(true)) notifyReady("Serving");
  }

private:
  std::atomic<bool> isTold_{false};
};

// Begins the host, and waits in the destructor until the callback has returned: the callback uses
// objects that are destroyed before the host.
class Beginning {
public:
  Beginning(Host &host, std::function<void(Host::StartResult)> onMade, ServeHttpPlugin serve)
      : host_(host) {
    host_.begin(std::move(onMade), std::move(serve));
  }
  ~Beginning() { host_.finishBeginning(); }
  Beginning(const Beginning &) = delete;
  Beginning &operator=(const Beginning &) = delete;

private:
  Host &host_;
};

void refuseStrangers(const Configuration &configuration,
                     const std::vector<HttpEndpoint> &endpoints) {
  if (configuration.http.allowAnonymous || configuration.auth.plugin != "none") return;
  const bool certified = configuration.http.tlsClientCa &&
                         configuration.http.tlsClientCertificates != ClientCertificates::Optional;
  for (const HttpEndpoint &one : endpoints)
    if (!one.local && !(one.secure && certified))
      throw std::runtime_error("other machines can reach " + one.name +
                               " without authentication: configure an auth plugin (auth.plugin), "
                               "or pass --allow-anonymous");
}

// `named` always has a public URL, `configuration` only a configured one.
HttpRules httpRules(const Configuration &configuration, const HttpConfiguration &named,
                    const std::vector<HttpEndpoint> &endpoints) {
  const HttpConfiguration &from = configuration.http;
  const StateConfiguration &state = configuration.state;
  HttpRules rules;
  rules.path = from.path;
  rules.publicUrl = named.publicUrl.value_or("");
  rules.hosts = allowedHosts(from, endpoints);
  rules.origins = allowedOrigins(from);
  rules.maxSessions = from.maxSessions;
  rules.sessionIdle = std::chrono::seconds(from.sessionIdleSeconds);
  rules.sessionMaxAge = std::chrono::seconds(from.sessionMaxAgeSeconds);
  // Without a secret, the process makes a key of its own, and its sessions end with it.
  if (state.secret)
    rules.sessionKey =
        keyOfService(Secret(*state.secret), "ids of the sessions of " + state.prefix);
  return rules;
}

// Access tokens must be meant for this server, so it needs a URL.
Configuration withPublicUrl(Configuration configuration,
                            const std::vector<HttpEndpoint> &endpoints) {
  if (configuration.http.publicUrl) return configuration;
  for (const HttpEndpoint &one : endpoints)
    if (!one.name.starts_with("unix:") && !configuration.http.publicUrl)
      configuration.http.publicUrl = urlOf(one, configuration.http.path);
  return configuration;
}

void logAddresses(const HttpConfiguration &http, const std::vector<HttpEndpoint> &endpoints,
                  const HttpFeatures &features) {
  for (const HttpEndpoint &one : endpoints) {
    const bool isUrl = !one.name.starts_with("unix:");
    log::info("server", "skillhost " SKILLHOST_VERSION " serving on " +
                            (isUrl ? urlOf(one, http.path) : one.name + http.path));
    for (const auto &feature : features)
      if (const std::string notice = feature->notice(one); !notice.empty())
        log::info("server", notice);
  }
}

std::vector<std::shared_ptr<RouteHandler>> handlersOf(const HttpFeatures &features,
                                                      const HttpParts &parts) {
  std::vector<std::shared_ptr<RouteHandler>> handlers;
  for (const auto &feature : features)
    if (auto handler = feature->handler(parts)) handlers.push_back(std::move(handler));
  return handlers;
}

// Returns what failed; empty if nothing did.
std::string reloadCertificates(HttpServer &server, const HttpFeatures &features) {
  std::string failed;
  if (const Status status = server.reloadCertificates(); !status)
    failed = "the certificate stays as it was: " + status.failure().message;
  for (const auto &feature : features)
    if (const std::string why = feature->reloadCertificates(); !why.empty())
      failed += (failed.empty() ? "" : "; ") + why;
  if (failed.empty())
    log::info("server", "read the certificate again");
  else
    log::error("server", failed);
  return failed;
}

} // namespace

int serveHttp(const Configuration &configuration, const BuiltFeatures &built,
              const std::string &executable, const std::string &file, Reloader::Read read) {
  ::signal(SIGPIPE, SIG_IGN);
  // Before the server runs, there is nothing to reload, and the signal must not end it.
  ::signal(SIGHUP, SIG_IGN);
  // The routes are made last, when all parts exist; nobody is served before run().
  std::optional<HttpRoutes> routes;
  HttpServer server(
      httpSettings(configuration),
      [&routes](const std::shared_ptr<HttpExchange> &exchange) { routes->handle(exchange); });
  // Nobody can connect before the provider has confirmed that it works. All other plugins are made
  // while clients are served, which wait for lists as on stdio.
  server.bind();
  refuseStrangers(configuration, server.endpoints());
  const HttpFeatures features = makeHttpFeatures(built.http, configuration, server.endpoints());
  const Configuration named = withPublicUrl(configuration, server.endpoints());
  Host host(named, executable, built.host, Host::Role::Replica,
            Features(built.observers, configuration));
  host.logUnknownNames();
  host.logWithheld();
  const HttpRules rules = httpRules(configuration, named.http, server.endpoints());
  McpEndpoint mcp(host.server(), rules);
  const HttpParts parts{host.library(), host.access(), host.server(), mcp, rules};
  routes.emplace(parts, handlersOf(features, parts), host.readiness(),
                 [&host] { return host.hasServedPlugins(); });
  Reloader reloader(host, configuration, file, std::move(read), [&](const Configuration &applied) {
    for (const auto &feature : features) feature->reconfigure(applied);
  });
  // This thread serves all clients: if it hangs, only a new process helps.
  ServiceWatchdog watchdog;
  ReadyNotice ready;
  server.onTick([&] {
    watchdog.tick();
    // A plugin that delays the start does not delay the service manager.
    if (host.isSettled()) ready.send();
  });
  for (const auto &feature : features) feature->begin();
  server.listen();
  const Signals signals(
      [&] {
        notifyServiceManager("STOPPING=1");
        log::info("server", "stopping");
        mcp.close();
        server.stop();
      },
      [&] {
        host.access().audit().reopen();
        reloader.request(configuration.http.tlsCertificate ? reloadCertificates(server, features)
                                                           : std::string());
      });
  logAddresses(configuration.http, server.endpoints(), features);
  host.access().audit().write({.kind = "started", .subject = "http"});
  const Beginning beginning(
      host,
      [&](Host::StartResult result) {
        if (result == Host::StartResult::Succeeded) return ready.send();
        mcp.close();
        server.stop();
      },
      [&](const std::shared_ptr<HttpPlugin> &plugin, const HandlerRoutes &all) {
        return routes->add(routesOfPlugin(plugin, all, host.access(), configuration.deadlines));
      });
  server.run();
  endWithin(patienceAtEnd);
  // A server that is stopped while it starts still reports errors in its configuration.
  host.finishBeginning();
  reloader.stop(); // "stopped" is the last record of the audit
  host.access().audit().write({.kind = "stopped", .subject = "http"});
  if (host.hasFailed()) host.waitUntilMade(); // throws
  log::info("server", "stopped");
  return 0;
}

} // namespace skillhost::app
