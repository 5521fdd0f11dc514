// SPDX-License-Identifier: Apache-2.0
#include "protocol/server.hpp"

#include "base/log.hpp"
#include "client_session.hpp"
#include "services.hpp"
#include "stale_content.hpp"

#include <algorithm>

namespace skillhost {
namespace {

// RFC 5424, as logging/setLevel names them.
int syslogLevel(LogLevel level) {
  switch (level) {
  case LogLevel::Debug:
    return 7;
  case LogLevel::Info:
    return 6;
  case LogLevel::Warning:
    return 4;
  case LogLevel::Error:
    break;
  }
  return 3;
}

// The timer goes before the rest of the services, so its callbacks need not hold them.
void cleanCacheLater(Services &services) {
  services.timer.after(cacheCleaning, [&services] {
    services.cache.clean();
    cleanCacheLater(services);
  });
}

} // namespace

Server::Server(ProtocolSettings settings, Library &library, Index *index)
    : services_(std::make_shared<Services>(std::move(settings), library, index)) {
  log::listen([weak = std::weak_ptr<Services>(services_)](LogLevel level, std::string_view part,
                                                          std::string_view text) {
    // Not what is said of requests: a client that reads it would hear of itself for ever.
    const auto services = part == "mcp" || part == "audit" ? nullptr : weak.lock();
    if (!services) return;
    for (const auto &session : services->listeners.open())
      session->logLine(syslogLevel(level), part, text);
  });
  if (services_->settings.cache.ttl.count() != 0) cleanCacheLater(*services_);
}

Server::~Server() {
  log::listen(nullptr);
  services_->offers.end();
}

std::shared_ptr<Session> Server::open(std::function<void(Fragments)> send) {
  return std::make_shared<ClientSession>(services_, std::move(send), ClientSession::Client::Only,
                                         "stdio");
}

void Server::describePluginsWith(std::function<Json()> describe) {
  services_->describePlugins = std::move(describe);
}

void Server::offer(std::vector<std::shared_ptr<ToolProvider>> providers) {
  services_->offers.attach(std::move(providers), services_->settings.deadlines.scan,
                           [weak = std::weak_ptr<Services>(services_)](
                               const OfferSetPointer &now, const OfferSetPointer &before) {
                             if (const auto services = weak.lock())
                               for (const auto &session : services->listeners.open())
                                 session->offersChanged(now, before);
                           });
}

void Server::whenOffered(std::function<void()> callback) {
  services_->offers.whenReady(std::move(callback));
}
void Server::guardWith(const Access &access) { services_->access = &access; }

Cache &Server::cache() noexcept { return services_->cache; }

void Server::catalogueChanged(const std::shared_ptr<const Catalogue> &now,
                              const std::shared_ptr<const Catalogue> &before) {
  forgetStale(services_->cache, *now, *before);
  // The first catalogue is no change, unless somebody was answered before there was one.
  if (before->generation() == 0 && !services_->answeredEarly) return;
  for (const auto &session : services_->listeners.open()) session->catalogueChanged(now, before);
}

} // namespace skillhost
