// SPDX-License-Identifier: Apache-2.0
#include "net/http_server.hpp"

#include "base/log.hpp"
#include "connection.hpp"
#include "hub.hpp"
#include "listener.hpp"
#include "tls.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

using http::Hub;

// The interval between checks of deadlines. No deadline is late by more than a quarter of it, or
// half a second.
std::chrono::milliseconds tickOf(const HttpSettings &settings) {
  const auto shortest =
      std::min({settings.headTimeout, settings.bodyTimeout, settings.idleTimeout,
                settings.writeTimeout, settings.commentInterval, settings.stopTimeout});
  return std::clamp(shortest / 4, std::chrono::milliseconds(10), std::chrono::milliseconds(500));
}

// Raises the limit of descriptors to the process's maximum.
void raiseDescriptorLimit(std::size_t connections) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  if (limit.rlim_cur != limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_max <= connections)
    log::warning("http", "the process may have " + std::to_string(limit.rlim_max) +
                             " descriptors, too few for " + std::to_string(connections) +
                             " connections");
}

} // namespace

class HttpServer::Inner {
public:
  Inner(HttpSettings settings, HttpHandler handler)
      : hub(std::move(settings), std::move(handler)) {}
  ~Inner() {
    closeListeners();
    closeAll();
  }

  void take(http::ListeningSocket socket) {
    socket.secure = tls && !socket.unixSocket;
    endpoints.push_back({socket.name, socket.local, socket.secure});
    bound.push_back(std::move(socket));
  }

  void listen(http::ListeningSocket socket) {
    http::beginListening(socket);
    http::Listener::MakeStream make = http::plainStream;
    if (socket.secure) make = [this](int number) { return tls->stream(number); };
    listeners.push_back(std::make_shared<http::Listener>(hub, std::move(socket), std::move(make)));
  }

  void closeListeners() {
    for (const auto &listener : listeners) listener->close();
    listeners.clear();
  }

  void closeAll() {
    while (!hub.connections.empty()) hub.connections.back()->drop("");
  }

  void tick() {
    const auto now = Hub::Clock::now();
    // Count down: a closed connection is replaced by the last one, which was already checked.
    for (std::size_t i = hub.connections.size(); i > 0; --i) {
      if (i > hub.connections.size()) continue;
      const auto one = hub.connections[i - 1];
      one->attempt([&] { one->check(now); });
    }
    hub.retryTurns();
    for (const auto &listener : listeners) listener->resume();
    if (hub.stopping && now >= stopUntil) closeAll();
    if (ticked) ticked();
  }

  void beginStop() {
    hub.stopping = true;
    closeListeners();
    stopUntil = Hub::Clock::now() + hub.settings.stopTimeout;
    for (std::size_t i = hub.connections.size(); i > 0; --i)
      if (i <= hub.connections.size()) hub.connections[i - 1]->stop();
  }

  Hub hub;
  std::optional<http::Tls> tls;
  std::vector<HttpEndpoint> endpoints;
  std::vector<http::ListeningSocket> bound; // sockets that wait for listen()
  std::vector<std::shared_ptr<http::Listener>> listeners;
  std::function<void()> ticked;
  std::atomic<bool> stopAsked{false};
  Hub::Clock::time_point stopUntil;
};

HttpServer::HttpServer(HttpSettings settings, HttpHandler handler)
    : inner_(std::make_unique<Inner>(std::move(settings), std::move(handler))) {}

HttpServer::~HttpServer() = default;

void HttpServer::bind() {
  const HttpSettings &settings = inner_->hub.settings;
  raiseDescriptorLimit(settings.maxConnections);
  if (!settings.certificateFile.empty() || !settings.keyFile.empty()) {
    ::signal(SIGPIPE, SIG_IGN); // see tls.hpp
    inner_->tls.emplace(settings.certificateFile, settings.keyFile, settings.clientAuthorities,
                        settings.clientCertificateRequired);
    if (const Status loaded = inner_->tls->load(); !loaded)
      throw std::runtime_error(loaded.failure().message);
  }
  if (settings.usesSystemdSockets)
    for (http::ListeningSocket &socket : http::listenActivated()) inner_->take(std::move(socket));
  for (const HttpAddress &address : settings.addresses) {
    // The file of a socket that does not listen yet would look stale, so it is created in listen().
    if (!address.path.empty())
      inner_->endpoints.push_back({"unix:" + address.path, true, false});
    else
      for (http::ListeningSocket &socket : http::bindTcp(address)) inner_->take(std::move(socket));
  }
  if (inner_->endpoints.empty())
    throw std::runtime_error(settings.usesSystemdSockets
                                 ? "systemd passed no socket (LISTEN_FDS): start the server by its "
                                   ".socket unit, or name an address to listen on"
                                 : "there is no address to listen on");
}

void HttpServer::listen() {
  for (http::ListeningSocket &socket : std::exchange(inner_->bound, {}))
    inner_->listen(std::move(socket));
  for (const HttpAddress &address : inner_->hub.settings.addresses)
    if (!address.path.empty()) inner_->listen(http::listenUnix(address));
}

const std::vector<HttpEndpoint> &HttpServer::endpoints() const noexcept {
  return inner_->endpoints;
}

void HttpServer::onTick(std::function<void()> tick) { inner_->ticked = std::move(tick); }

void HttpServer::run() {
  Inner &inner = *inner_;
  for (const auto &listener : inner.listeners) listener->resume();
  inner.hub.loop.every(tickOf(inner.hub.settings), [&inner] { inner.tick(); });
  inner.hub.loop.run([&inner] {
    if (inner.stopAsked && !inner.hub.stopping) inner.beginStop();
    return inner.hub.stopping && inner.hub.connections.empty();
  });
  inner.hub.loop.mailbox()->open(); // delivers losses that were posted last
  inner.hub.loop.mailbox()->close();
}

void HttpServer::stop() noexcept {
  inner_->stopAsked = true;
  inner_->hub.loop.mailbox()->wake();
}

Status HttpServer::reloadCertificates() {
  if (!inner_->tls) return Done{};
  return inner_->tls->load();
}

} // namespace skillhost
