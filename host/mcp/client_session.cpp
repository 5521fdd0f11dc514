// SPDX-License-Identifier: Apache-2.0
#include "mcp/client_session.hpp"

#include "base/log.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "mcp/authorization.hpp"
#include "mcp/services.hpp"
#include "rpc/long_message.hpp"

#include <exception>

namespace skillhost {
namespace {

constexpr std::size_t maxRunning = 1024;

void refuseMessage(ReplyChannel &reply, const Message &message, const FamilyRefusal &why) {
  log::info("mcp", message.method + ": " + why.words);
  reply.answer(errorMessage(message.id, why.code, why.words, why.data), why.code);
}

} // namespace

ClientSession::ClientSession(std::shared_ptr<Services> services,
                             std::function<void(Fragments)> send, Client client, std::string name,
                             SessionRoom room, PendingClientRequests::Name questionName,
                             SharedNotes shared)
    : clientRequests(std::move(questionName)), services_(std::move(services)),
      send_(std::move(send)), client_(client), name_(std::move(name)), room_(std::move(room)),
      shared_(std::move(shared)) {}

ClientSession::~ClientSession() {
  if (room_.budget) room_.budget->giveBack(held_);
}

bool ClientSession::reserveBytes(std::size_t bytes) noexcept {
  if (!room_.budget) return true;
  if (held_ + bytes > room_.maxBytes || !room_.budget->take(bytes)) return false;
  held_ += bytes;
  return true;
}

void ClientSession::releaseBytes(std::size_t bytes) noexcept {
  if (!room_.budget) return;
  held_ -= bytes;
  room_.budget->giveBack(bytes);
}

void ClientSession::send(Fragments message) {
  if (!closed_) send_(std::move(message));
}

void ClientSession::receive(std::string_view text) try {
  ParsedMessage parsed = parseMessage(text, maxMessageValues(services_->settings.limits));
  if (!parsed.message) {
    const FaultInfo &info = describe(parsed.refusal.failure.fault);
    log::write(info.level, "mcp", "refused a message: " + parsed.refusal.failure.message);
    if (parsed.refusal.mustAnswer)
      send(errorMessage(parsed.refusal.id, info.jsonRpc, parsed.refusal.failure.message, {}));
    return;
  }
  accept(*std::move(parsed.message), shared_from_this());
} catch (const std::exception &why) {
  // No call has begun, or it would have been answered.
  log::failure("mcp", {"a message could not be read"}, why);
  LongMessage message;
  message.add(text);
  if (const std::string id = message.id(); id != "null")
    send(errorMessage(id, describe(faultOfException(why)).jsonRpc, wordsOfException(why), {}));
}

void ClientSession::accept(Message message, const std::shared_ptr<ReplyChannel> &reply) {
  switch (message.kind) {
  case Message::Kind::Request:
    dispatch(std::move(message), reply);
    break;
  case Message::Kind::Notification:
    handleNotification(message);
    break;
  case Message::Kind::Response:
    clientRequests.onResponse(message);
    break;
  }
}

void ClientSession::refuseTooLong(std::size_t limit, const std::string &id) {
  const std::string words = "the message is longer than " + std::to_string(limit) + " bytes";
  log::warning("mcp", "refused a message: " + words);
  send(errorMessage(id, describe(Fault::InvalidRequest).jsonRpc, words, {}));
}

void ClientSession::shakeHands(ResultForm form) {
  resultForm_ = form;
  opening_ = Opening::Legacy;
  listenForChanges();
}

void ClientSession::listenForChanges() {
  if (!listening_.exchange(true)) services_->listeners.add(shared_from_this());
}

void ClientSession::dispatch(Message message, const std::shared_ptr<ReplyChannel> &reply) {
  const std::variant<ProtocolFamily, FamilyRefusal> read = familyOf(message, opening_);
  if (const ProtocolFamily *const family = std::get_if<ProtocolFamily>(&read))
    return request(std::move(message), reply, *family);
  ++services_->requests;
  refuseMessage(*reply, message, std::get<FamilyRefusal>(read));
}

void ClientSession::request(Message message, const std::shared_ptr<ReplyChannel> &reply,
                            ProtocolFamily family) {
  ++services_->requests;
  if (opening_ == Opening::None)
    opening_ = family == ProtocolFamily::Modern ? Opening::Modern : Opening::Legacy;
  Secret token = client_ == Client::Only ? takeAccessToken(message) : Secret();
  const auto call = std::make_shared<Call>(shared_from_this(), reply, std::move(message), family);
  call->setToken(std::move(token));
  const std::optional<Fault> refused = enter(call);
  if (!refused) return route(call); // does not throw: the call is answered from here on
  // The call is not among the running ones and must not end as one, because another call has that
  // id.
  const int code = describe(*refused).jsonRpc;
  reply->answer(errorMessage(call->id(), code,
                             *refused == Fault::RateLimited
                                 ? "too many requests are running"
                                 : "a request of this id is still running",
                             {}),
                code);
}

std::optional<Fault> ClientSession::enter(const CallPointer &call) {
  const std::scoped_lock lock(mutex_);
  const auto before = running_.find(call->id());
  if (before != running_.end()) {
    if (!before->second->isFinished()) return Fault::InvalidRequest;
    // Its client may have the answer already, and may use the id again, although the thread that
    // answered has not called onCallFinished() yet.
    forget(*before->second);
  } else if (running_.size() >= maxRunning) {
    return Fault::RateLimited;
  }
  running_.emplace(call->id(), call);
  return std::nullopt;
}

void ClientSession::forget(const Call &call) {
  const auto subscription = subscriptions_.find(call.id());
  if (subscription != subscriptions_.end() && subscription->second.call.get() == &call)
    subscriptions_.erase(subscription);
  const auto own = running_.find(call.id());
  if (own != running_.end() && own->second.get() == &call) running_.erase(own);
}

std::string cancelledId(const Message &message) {
  if (message.kind != Message::Kind::Notification || message.method != "notifications/cancelled")
    return {};
  const auto id = message.params.find("requestId");
  return id != message.params.end() && (id->is_string() || id->is_number_integer()) ? id->dump()
                                                                                    : std::string();
}

void ClientSession::handleNotification(const Message &message) {
  if (message.method == "notifications/initialized") {
    becomeReady();
  } else if (const std::string id = cancelledId(message); !id.empty()) {
    cancel(id);
  }
}

bool ClientSession::cancel(const std::string &id) {
  CallPointer call;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = running_.find(id);
    if (found == running_.end()) return false;
    call = found->second;
  }
  if (call->method() != "initialize") call->abandon();
  return true;
}

void ClientSession::onCallFinished(const Call &call) {
  try {
    clientRequests.onCallEnded(call);
  } catch (const std::exception &why) {
    // Its plugin waits for the client's answer until the call's deadline.
    log::failure("mcp", {"a pending request to the client could not be cancelled"}, why);
  }
  {
    const std::scoped_lock lock(mutex_);
    forget(call);
  }
  idle_.notify_all();
}

bool ClientSession::waitUntilIdle(std::chrono::milliseconds span) {
  std::unique_lock lock(mutex_);
  // A subscription has no end of its own, so nobody waits for it.
  return idle_.wait_for(lock, span, [this] { return running_.size() <= subscriptions_.size(); });
}

bool ClientSession::idle() const {
  const std::scoped_lock lock(mutex_);
  return running_.empty();
}

void ClientSession::endSubscriptions() {
  std::map<std::string, Subscription> subscriptions;
  {
    const std::scoped_lock lock(mutex_);
    subscriptions = subscriptions_;
  }
  for (const auto &[id, subscription] : subscriptions) subscription.call->endSubscription();
}

void ClientSession::close() {
  endSubscriptions();
  std::map<std::string, CallPointer> running;
  {
    const std::scoped_lock lock(mutex_);
    running = running_;
  }
  for (const auto &[id, call] : running) call->abandon();
  closed_ = true;
}

} // namespace skillhost
