// SPDX-License-Identifier: Apache-2.0
// Sends a session's notifications to its client: changes of the catalogue, lines of the log.
#include "access/access.hpp"
#include "catalogue_change.hpp"
#include "ground/json_text.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/plugin_tools_view.hpp"
#include "mcp/services.hpp"
#include "rpc/log_levels.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

constexpr std::size_t maxSubscriptions = 1024;

// Returns the revision of the file that a URI names; empty if there is none.
std::string revisionOf(const Catalogue &catalogue, const std::string &uri) {
  const FileReference found = catalogue.file(uri);
  return found.entry == nullptr ? std::string() : found.entry->skill->files[found.file].revision;
}

// Returns a change of the plugins' offers as one principal sees it.
PluginToolsChanged seenChange(const Access *access, const PrincipalPointer &principal,
                              const PluginToolSetPointer &now, const PluginToolSetPointer &before) {
  if (access == nullptr) return difference(*now, *before);
  if (access->authenticator() != nullptr && !principal) return {};
  const auto key = access->visibility().keyOf(principal.get());
  return difference(*seenPluginTools(key, now), *seenPluginTools(key, before));
}

// True if the principal may manage the server, and nothing is hidden from it.
bool managesAll(const Access *access, const PrincipalPointer &principal) {
  return mayManage(access, principal) &&
         (access == nullptr || Visibility::seesAll(access->visibility().keyOf(principal.get())));
}

bool isOther(const std::string &uri, const Catalogue &now, const Catalogue &before) {
  return revisionOf(now, uri) != revisionOf(before, uri);
}

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
  if (uris_.contains(uri)) return true;
  if (uris_.size() >= maxSubscriptions || !reserveBytes(bytesOfSubscription(uri))) return false;
  note({.kind = SessionChange::Kind::Subscribed, .name = uri});
  uris_.insert(uri);
  return true;
}

void ClientSession::unsubscribe(const std::string &uri) {
  if (uri.size() > maxSubscribedBytes) return; // nobody subscribes to it
  const std::scoped_lock lock(mutex_);
  // Another replica may be the only one that knows of it.
  note({.kind = SessionChange::Kind::Unsubscribed, .name = uri});
  if (uris_.erase(uri) != 0) releaseBytes(bytesOfSubscription(uri));
}

void ClientSession::listen(Subscription subscription, Fragments acknowledgement) {
  listenForChanges();
  // Both happen under the lock, so that no change is lost between them, and none is sent before.
  const std::scoped_lock lock(mutex_);
  const CallPointer call = subscription.call;
  const auto running = running_.find(call->id());
  if (running == running_.end() || running->second != call) return;
  subscriptions_[call->id()] = std::move(subscription);
  call->sendMessage(std::move(acknowledgement));
}

PrincipalPointer ClientSession::notifiedPrincipal() const {
  PrincipalPointer principal = principal_.copy();
  // Over HTTP the stream has ended by then, and the client may come back with another token.
  if (client_ == Client::Only && principal && principal->expiresAt != 0 &&
      principal->expiresAt <= AccessClock::systemClocks().unixSeconds())
    principal = nullptr;
  return principal;
}

bool ClientSession::catalogueChanged(CatalogueChange &change) {
  bool isTold = false;
  const auto listsOf = [this](const CatalogueChange::Seen &seen) {
    PluginToolsChanged lists = seen.lists;
    lists.resources = lists.resources || (seen.files && followsFiles_);
    return lists;
  };
  std::set<std::string> uris;
  std::map<std::string, Subscription> subscriptions;
  {
    const std::scoped_lock lock(mutex_);
    uris = uris_;
    subscriptions = subscriptions_;
  }
  if (legacyReady_) {
    const CatalogueChange::Seen &seen = change.seenBy(notifiedPrincipal());
    isTold = notifyLists(listsOf(seen));
    for (const std::string &uri : uris)
      if (isOther(uri, *seen.now, *seen.before)) {
        isTold = true;
        send(notificationMessage("notifications/resources/updated", uriParams(uri, {})));
      }
  }
  for (const auto &[id, subscription] : subscriptions) {
    const CatalogueChange::Seen &seen = change.seenBy(subscription.call->principal());
    isTold = notifyLists(subscription, listsOf(seen)) || isTold;
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}";
    for (const std::string &uri : subscription.uris)
      if (isOther(uri, *seen.now, *seen.before)) {
        isTold = true;
        subscription.call->sendMessage(
            notificationMessage("notifications/resources/updated", uriParams(uri, "," + meta)));
      }
  }
  return isTold;
}

void ClientSession::ownResourceChanged(std::string_view resource) {
  const std::string uri(resource);
  bool isSubscribed = false;
  std::map<std::string, Subscription> subscriptions;
  {
    const std::scoped_lock lock(mutex_);
    isSubscribed = uris_.contains(uri);
    subscriptions = subscriptions_;
  }
  const Access *const access = services_->access;
  if (isSubscribed && legacyReady_ && managesAll(access, notifiedPrincipal()))
    send(notificationMessage("notifications/resources/updated", uriParams(uri, {})));
  for (const auto &[id, subscription] : subscriptions) {
    if (!subscription.uris.contains(uri) || !managesAll(access, subscription.call->principal()))
      continue;
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}";
    subscription.call->sendMessage(
        notificationMessage("notifications/resources/updated", uriParams(uri, "," + meta)));
  }
}

void ClientSession::pluginToolsChanged(const PluginToolSetPointer &now,
                                       const PluginToolSetPointer &before) {
  std::map<std::string, Subscription> subscriptions;
  {
    const std::scoped_lock lock(mutex_);
    subscriptions = subscriptions_;
  }
  const Access *const access = services_->access;
  if (legacyReady_) notifyLists(seenChange(access, notifiedPrincipal(), now, before));
  for (const auto &[id, subscription] : subscriptions)
    notifyLists(subscription, seenChange(access, subscription.call->principal(), now, before));
}

void ClientSession::notifyAllLists() {
  if (legacyReady_) notifyLists({true, true, true});
}

void ClientSession::notifyAllResources() {
  if (!legacyReady_) return;
  const std::set<std::string> uris = [this] {
    const std::scoped_lock lock(mutex_);
    return uris_;
  }();
  for (const std::string &uri : uris)
    send(notificationMessage("notifications/resources/updated", uriParams(uri, {})));
}

bool ClientSession::notifyLists(PluginToolsChanged changed) {
  if (changed.tools) send(notificationMessage(changeOf("tools"), {}));
  if (changed.prompts) send(notificationMessage(changeOf("prompts"), {}));
  if (changed.resources) send(notificationMessage(changeOf("resources"), {}));
  return changed.tools || changed.prompts || changed.resources;
}

bool ClientSession::notifyLists(const Subscription &subscription, PluginToolsChanged changed) {
  const std::string params =
      R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + subscription.call->id() + "}}";
  const auto sendIfWanted = [&](bool wanted, const char *list) {
    if (wanted) subscription.call->sendMessage(notificationMessage(changeOf(list), params));
    return wanted;
  };
  const bool tools = sendIfWanted(changed.tools && subscription.tools, "tools");
  const bool prompts = sendIfWanted(changed.prompts && subscription.prompts, "prompts");
  return sendIfWanted(changed.resources && subscription.resources, "resources") || tools || prompts;
}

void ClientSession::setLogLevel(int level) {
  note({.kind = SessionChange::Kind::LogLevel, .level = level});
  logLevel_ = level;
  listenForChanges();
}

// True if the client may get lines of this part of the log. One of many clients only gets lines
// about skills and plugins, and only if it may manage the server and see all skills, because the
// lines name and count hidden ones.
bool ClientSession::mayReceiveLog(std::string_view part) const {
  if (client_ == Client::Only) return true;
  if (part != "skills" && part != "search" && part != "plugin") return false;
  const Access *const access = services_->access;
  return managesAll(access, notifiedPrincipal());
}

void ClientSession::logLine(int level, std::string_view part, std::string_view text) {
  if (level > logLevel_ || closed_ || !mayReceiveLog(part)) return;
  std::string params = R"({"level":")";
  params += logLevelNames.at(static_cast<std::size_t>(level));
  params += R"(","logger":)";
  appendJsonString(params, part);
  params += R"(,"data":)";
  appendJsonString(params, text);
  params += '}';
  send(notificationMessage("notifications/message", params));
}

} // namespace skillhost
