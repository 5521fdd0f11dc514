// SPDX-License-Identifier: Apache-2.0
#include "mcp/server.hpp"

#include "access/access.hpp"
#include "base/log.hpp"
#include "mcp/client_session.hpp"
#include "mcp/own_resources.hpp"
#include "mcp/services.hpp"
#include "mcp/source_notices.hpp"
#include "rpc/log_levels.hpp"
#include "runtime/shared_rates.hpp"
#include "skill_tools.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace skillhost {
namespace {

// The timer is destroyed before the rest of the services, so its callbacks need not own them.
void cleanCacheLater(Services &services) {
  services.timer.after(cacheCleaning, [&services] {
    services.cache.clean();
    cleanCacheLater(services);
  });
}

// The engine answers later, perhaps after the services are gone.
void exchangeRatesLater(const std::weak_ptr<Services> &weak) {
  const auto services = weak.lock();
  if (!services) return;
  services->timer.after(ratesInterval, [weak] {
    if (const auto known = weak.lock())
      exchangeRates(std::shared_ptr<RateLimiter>(known, &known->rates), *known->shared);
    exchangeRatesLater(weak);
  });
}

// Warns once when it begins, not with every change.
void warnOfTooManyTools(const Catalogue &now, const Catalogue &before) {
  const std::string why = tooManySkillTools(now);
  if (!why.empty() && tooManySkillTools(before).empty()) log::warning("server", why);
}

// Reports each skill whose name another skill has or claims since this change. The operator has to
// know that somebody tries to take a name.
void auditTakenNames(const Access &access, const Catalogue &now, const Catalogue &before) {
  std::set<std::string> known;
  const auto isTaken = [](const Finding &finding) { return finding.code == nameTakenCode; };
  for (const Finding &finding : before.findings())
    if (isTaken(finding)) known.insert(finding.file + finding.message);
  for (const Finding &finding : now.findings())
    if (isTaken(finding) && !known.contains(finding.file + finding.message))
      access.audit().write(
          {.kind = "name taken", .reason = finding.message, .subject = finding.file});
}

void followOwnResources(const std::shared_ptr<Services> &known) {
  for (const OwnResource &one : known->resources.listed())
    if (one.onChange)
      one.onChange([weak = std::weak_ptr<Services>(known), uri = one.uri] {
        const auto services = weak.lock();
        if (!services) return;
        for (const auto &session : services->listeners.open()) session->ownResourceChanged(uri);
      });
}

} // namespace

Server::Server(ProtocolSettings settings, Library &library, Index *index, ViewIndexes *viewIndexes,
               ServerParts parts)
    : services_(std::make_shared<Services>(std::move(settings), library, index, viewIndexes,
                                           std::move(parts))) {
  log::listen([weak = std::weak_ptr<Services>(services_)](LogLevel level, std::string_view part,
                                                          std::string_view text) {
    // Lines about requests are left out: a client that reads them would cause further ones for
    // ever.
    const auto services = part == "mcp" || part == "audit" ? nullptr : weak.lock();
    if (!services) return;
    for (const auto &session : services->listeners.open())
      session->logLine(logLevelNumber(level), part, text);
  });
  if (services_->shared) followSourceNotices(services_);
  if (services_->shared && services_->settings.rateLimit.perSecond != 0) {
    services_->rates.count();
    exchangeRatesLater(services_);
  }
  if (const Access *const access = services_->access; access != nullptr) {
    services_->reportedRules.with(
        [rules = access->visibility().rules()](auto &told) { told = rules; });
    if (viewIndexes != nullptr) viewIndexes->setVisibility(access->visibility());
  }
  followOwnResources(services_);
  services_->cache.clean(); // sets the time of the last cleaning from the start
  if (services_->settings.cache.ttl.count() != 0) cleanCacheLater(*services_);
}

Server::~Server() {
  log::listen(nullptr);
  services_->pluginTools.end();
}

std::shared_ptr<Session> Server::open(std::function<void(Fragments)> send) {
  return std::make_shared<ClientSession>(services_, std::move(send), ClientSession::Client::Only,
                                         "stdio");
}

void Server::servePluginTools(std::vector<std::shared_ptr<ToolProvider>> providers) {
  services_->pluginTools.attach(
      std::move(providers), services_->settings.deadlines.scan,
      [weak = std::weak_ptr<Services>(services_)](const PluginToolSetPointer &now,
                                                  const PluginToolSetPointer &before) {
        const auto services = weak.lock();
        // The first lists are no change, unless somebody was answered before.
        if (!services || (!services->pluginTools.ready() && !services->answeredEarly)) return;
        for (const auto &session : services->listeners.open())
          session->pluginToolsChanged(now, before);
      });
}

void Server::whenPluginToolsAreListed(std::function<void()> callback) {
  services_->pluginTools.whenReady(std::move(callback));
}

const Observers &Server::observers() const noexcept { return services_->observers; }

void Server::refreshSource(std::string_view source) {
  services_->library.refresh(source);
  notifySourceChanged(services_->shared.get(), source);
}

Cache &Server::cache() noexcept { return services_->cache; }

void Server::catalogueChanged(const std::shared_ptr<const Catalogue> &now,
                              const std::shared_ptr<const Catalogue> &before) {
  services_->reader.dropUnserved(now, *before);
  if (services_->settings.expose != Expose::Gateway) warnOfTooManyTools(*now, *before);
  const Access *const access = services_->access;
  Visibility::RulesPointer rules, rulesBefore;
  if (access != nullptr) {
    rules = access->visibility().rules();
    rulesBefore =
        services_->reportedRules.with([&](auto &told) { return std::exchange(told, rules); });
    // Names that were taken from the start are in the log already.
    if (!before->loading().isInProgress) auditTakenNames(*access, *now, *before);
  }
  // The first catalogue is no change, unless somebody was answered before there was one.
  if (before->generation() == 0 && !services_->answeredEarly) return;
  services_->notices.catalogueChanged(*services_, {now, rules}, {before, std::move(rulesBefore)});
}

} // namespace skillhost
