// SPDX-License-Identifier: Apache-2.0
// What a session tells its client unasked: changes of the catalogue, lines of the log.
#include "access/access.hpp"
#include "base/json_text.hpp"
#include "client_session.hpp"
#include "offers_view.hpp"
#include "services.hpp"
#include "skills/view.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

constexpr std::size_t mostSubscriptions = 1024;

// The revision of the file a URI names, empty when there is none.
std::string revisionOf(const Catalogue &catalogue, const std::string &uri) {
  const FileReference found = catalogue.file(uri);
  return found.entry == nullptr ? std::string() : found.entry->skill->files[found.file].revision;
}

// A change of the catalogue as one principal sees it.
struct SeenChange {
  std::shared_ptr<const Catalogue> now, before;
  bool any = true;
};

SeenChange seenChange(const Access *access, const PrincipalPointer &principal,
                      const std::shared_ptr<const Catalogue> &now,
                      const std::shared_ptr<const Catalogue> &before) {
  if (access == nullptr) return {now, before};
  // Who has asked nothing yet has seen nothing that could change.
  if (access->authenticator() != nullptr && !principal) return {now, before, false};
  const Visibility &visibility = access->visibility();
  if (visibility.hidesNothing()) return {now, before};
  const auto key = visibility.keyOf(principal.get());
  SeenChange seen{visibility.view(now, key), visibility.view(before, key)};
  seen.any = !showTheSame(*seen.now, *seen.before);
  return seen;
}

// The same of what plugins offer.
OffersChanged seenChange(const Access *access, const PrincipalPointer &principal,
                         const OfferSetPointer &now, const OfferSetPointer &before) {
  if (access == nullptr) return difference(*now, *before);
  if (access->authenticator() != nullptr && !principal) return {};
  const auto key = access->visibility().keyOf(principal.get());
  return difference(*seenOffers(access, key, now), *seenOffers(access, key, before));
}

bool changed(const std::string &uri, const Catalogue &now, const Catalogue &before) {
  return revisionOf(now, uri) != revisionOf(before, uri);
}

constexpr OffersChanged everything{true, true, true};

std::string changeOf(const char *list) {
  return "notifications/" + std::string(list) + "/list_changed";
}

std::string uriParams(const std::string &uri, const std::string &meta) {
  std::string params = R"({"uri":)";
  appendJsonString(params, uri);
  return params + meta + "}";
}

} // namespace

bool ClientSession::subscribe(const std::string &uri) {
  const std::scoped_lock lock(mutex_);
  if (uris_.size() >= mostSubscriptions) return false;
  uris_.insert(uri);
  return true;
}

void ClientSession::unsubscribe(const std::string &uri) {
  const std::scoped_lock lock(mutex_);
  uris_.erase(uri);
}

void ClientSession::listen(Subscription subscription, Fragments acknowledgement) {
  listenForChanges();
  // Both under the lock: no change is lost between them, and none is told before.
  const std::scoped_lock lock(mutex_);
  const std::string id = subscription.call->id();
  if (!running_.contains(id)) return;
  const CallPointer call = subscription.call;
  subscriptions_[id] = std::move(subscription);
  call->tell(std::move(acknowledgement));
}

PrincipalPointer ClientSession::hearer() const {
  PrincipalPointer principal = principal_.copy();
  // Over HTTP the stream has ended by then, and the client may come back with another token.
  if (client_ == Client::Only && principal && principal->expiresAt != 0 &&
      principal->expiresAt <= AccessClock::ofTheSystem().unixSeconds())
    principal = nullptr;
  return principal;
}

void ClientSession::catalogueChanged(const std::shared_ptr<const Catalogue> &now,
                                     const std::shared_ptr<const Catalogue> &before) {
  std::set<std::string> uris;
  std::map<std::string, Subscription> subscriptions;
  {
    const std::scoped_lock lock(mutex_);
    uris = uris_;
    subscriptions = subscriptions_;
  }
  const Access *const access = services_->access;
  const SeenChange told = seenChange(access, hearer(), now, before);
  if (legacyReady_ && told.any) {
    tellLists(everything);
    for (const std::string &uri : uris)
      if (changed(uri, *told.now, *told.before))
        send(notificationMessage("notifications/resources/updated", uriParams(uri, {})));
  }
  for (const auto &[id, subscription] : subscriptions) {
    const SeenChange seen = seenChange(access, subscription.call->principal(), now, before);
    if (!seen.any) continue;
    tellLists(subscription, everything);
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}";
    for (const std::string &uri : subscription.uris)
      if (changed(uri, *seen.now, *seen.before))
        subscription.call->tell(
            notificationMessage("notifications/resources/updated", uriParams(uri, "," + meta)));
  }
}

void ClientSession::offersChanged(const OfferSetPointer &now, const OfferSetPointer &before) {
  std::map<std::string, Subscription> subscriptions;
  {
    const std::scoped_lock lock(mutex_);
    subscriptions = subscriptions_;
  }
  const Access *const access = services_->access;
  if (legacyReady_) tellLists(seenChange(access, hearer(), now, before));
  for (const auto &[id, subscription] : subscriptions)
    tellLists(subscription, seenChange(access, subscription.call->principal(), now, before));
}

void ClientSession::tellLists(OffersChanged changed) {
  if (changed.tools) send(notificationMessage(changeOf("tools"), {}));
  if (changed.prompts) send(notificationMessage(changeOf("prompts"), {}));
  if (changed.resources) send(notificationMessage(changeOf("resources"), {}));
}

void ClientSession::tellLists(const Subscription &subscription, OffersChanged changed) {
  const std::string params =
      R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + subscription.call->id() + "}}";
  const auto tell = [&](bool wanted, const char *list) {
    if (wanted) subscription.call->tell(notificationMessage(changeOf(list), params));
  };
  tell(changed.tools && subscription.tools, "tools");
  tell(changed.prompts && subscription.prompts, "prompts");
  tell(changed.resources && subscription.resources, "resources");
}

void ClientSession::setLogLevel(int level) {
  logLevel_ = level;
  listenForChanges();
}

void ClientSession::logLine(int level, std::string_view part, std::string_view text) {
  static constexpr std::string_view names[] = {"emergency", "alert",  "critical", "error",
                                               "warning",   "notice", "info",     "debug"};
  if (client_ != Client::Only || level > logLevel_ || level < 0 || level > 7) return;
  std::string params = R"({"level":")";
  params += names[level];
  params += R"(","logger":)";
  appendJsonString(params, part);
  params += R"(,"data":)";
  appendJsonString(params, text);
  params += '}';
  send(notificationMessage("notifications/message", params));
}

} // namespace skillhost
