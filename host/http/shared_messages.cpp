// SPDX-License-Identifier: Apache-2.0
// Sessions of several replicas: what these tell each other at once. Whoever misses one finds out
// with the next request, by the record.
#include "ground/constant_time.hpp"
#include "ground/json_member.hpp"
#include "mcp/client_session.hpp"
#include "shared_sessions.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t largestMessage = 1000U << 10U; // bytes, of those that an engine takes
constexpr std::size_t mostToldASecond = 50, mostAsksASecond = 20, deepestMessage = 70;
constexpr std::size_t markDigits = 32, mostAnswered = 64;

const std::string *textIn(const Json &object, const char *name) {
  return memberOf(object, name).get_ptr<const std::string *>();
}

std::optional<std::uint64_t> numberIn(const Json &object, const char *name) {
  const Json &found = memberOf(object, name);
  return found.is_number_unsigned() ? std::optional(found.get<std::uint64_t>()) : std::nullopt;
}

} // namespace

void SharedSessions::publish(SharedState &state, const char *kind, Json members) {
  members["kind"] = kind;
  state.publish(channel, members.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void SharedSessions::publish(const HttpSession &session, const char *kind, Json members) {
  members["session"] = session.copy()->key;
  publish(*state_, kind, std::move(members));
}

void SharedSessions::publishEnd(const HttpSession &session) {
  publish(session, "end", Json::object());
}

void SharedSessions::publishListening(const HttpSession &session, std::uint64_t writes) {
  publish(session, "listening", {{"writes", writes}});
}

std::string SharedSessions::questionName(const SharedState &state, const std::string &key,
                                         std::uint64_t number) {
  const std::string name = state.replica() + '-' + std::to_string(number);
  return name + '-' + state.keyed("question", {key, name}).substr(0, markDigits);
}

bool SharedSessions::isQuestion(const HttpSession &session, std::string_view id) const {
  constexpr std::string_view begin = PendingClientRequests::idStart;
  if (!id.starts_with(begin) || !id.ends_with('"')) return false;
  const std::string_view name = id.substr(begin.size(), id.size() - begin.size() - 1);
  const std::size_t hyphen = name.rfind('-');
  if (hyphen == name.npos) return false;
  SharedCopy &copy = *session.copy();
  const std::string mark =
      state_->keyed("question", {copy.key, name.substr(0, hyphen)}).substr(0, markDigits);
  return equalInConstantTime(name.substr(hyphen + 1), mark);
}

bool SharedSessions::mayAsk(const HttpSession &session) {
  SharedCopy &copy = *session.copy();
  const auto now = std::chrono::steady_clock::now();
  const std::scoped_lock lock(copy.mutex);
  if (now - copy.asksSince >= std::chrono::seconds(1)) {
    copy.asksSince = now;
    copy.asks = 0;
  }
  if (copy.asks == mostAsksASecond) return false;
  ++copy.asks;
  return true;
}

// A response that nobody waits for here.
SharedSessions::Delivery SharedSessions::passOn(const HttpSession &session, Message message) {
  if (message.bytes > largestMessage) return Delivery::TooLarge;
  // What nobody has asked for is not to reach all replicas: it costs its sender nothing.
  if (!isQuestion(session, message.id)) return Delivery::Taken;
  // Not noted as an answer: its client sends it again.
  if (!state_->reachable()) return Delivery::Away;
  SharedCopy &copy = *session.copy();
  {
    const std::scoped_lock lock(copy.mutex);
    if (std::ranges::find(copy.answered, message.id) != copy.answered.end()) return Delivery::Taken;
    if (copy.answered.size() == mostAnswered) copy.answered.pop_front();
    copy.answered.emplace_back(message.id);
  }
  publish(session, "response",
          {{"id", message.id}, {"failed", message.failed}, {"result", std::move(message.params)}});
  return Delivery::Taken;
}

SharedSessions::Delivery SharedSessions::deliver(const HttpSession &session, Message message) {
  ClientSession &client = session.client();
  if (message.kind == Message::Kind::Response)
    return client.clientRequests.answered(message) ? Delivery::Taken
                                                   : passOn(session, std::move(message));
  const std::string id = cancelledId(message);
  if (id.empty()) {
    client.accept(std::move(message), nullptr);
    return Delivery::Taken;
  }
  if (client.cancel(id)) return Delivery::Taken;
  if (!state_->reachable()) return Delivery::Away;
  if (!mayAsk(session)) return Delivery::TooMany;
  publish(session, "cancelled", {{"id", id}});
  return Delivery::Taken;
}

void SharedSessions::publishChanged(const HttpSession &session, std::uint64_t writes) {
  publish(session, "changed", {{"writes", writes}});
}

// Ids of sessions are made up for nothing: they do not have the others write without end.
bool SharedSessions::mayTellNow() {
  if (!state_->reachable()) return false;
  const auto now = std::chrono::steady_clock::now();
  const std::scoped_lock lock(mutex_);
  if (now - toldSince_ >= std::chrono::seconds(1)) {
    toldSince_ = now;
    told_ = 0;
  }
  return ++told_ <= mostToldASecond;
}

void SharedSessions::heardListening(const std::shared_ptr<HttpSession> &session,
                                    std::uint64_t writes) {
  SharedCopy &copy = *session->copy();
  {
    const std::scoped_lock lock(copy.mutex);
    // What is taken here and not written yet comes after it.
    if (copy.hasTaken || writes <= copy.base.writes) return;
  }
  session->standing()->release();
}

// What its stream is told depends on the record: on what is subscribed to, and on the level.
void SharedSessions::heardChanged(const std::shared_ptr<HttpSession> &session,
                                  std::uint64_t writes) {
  {
    const std::scoped_lock lock(session->copy()->mutex);
    if (writes <= session->copy()->base.writes) return;
  }
  if (session->standing()->attached()) lookAt(session);
}

void SharedSessions::heard(std::string_view text) {
  const auto message = readJsonObject(text, deepestMessage);
  const std::string *const kind = message ? textIn(*message, "kind") : nullptr;
  if (kind == nullptr) return;
  const std::string *const key = textIn(*message, "session");
  const auto session = key != nullptr ? known(*key) : nullptr;
  if (session) heardOf(session, *kind, *message); // else there is no copy here
}

void SharedSessions::heardOf(const std::shared_ptr<HttpSession> &session, std::string_view kind,
                             const Json &message) {
  const std::string *const id = textIn(message, "id");
  if (kind == "end") {
    forget(session);
  } else if (kind == "listening") {
    if (const auto writes = numberIn(message, "writes")) heardListening(session, *writes);
  } else if (kind == "changed") {
    if (const auto writes = numberIn(message, "writes")) heardChanged(session, *writes);
  } else if (kind == "write") {
    lookAt(session);
  } else if (kind == "cancelled" && id != nullptr) {
    cancelled_(*session, *id);
  } else if (kind == "response" && id != nullptr) {
    heardResponse(*session, *id, message);
  }
}

void SharedSessions::heardResponse(const HttpSession &session, const std::string &id,
                                   const Json &message) {
  const auto result = message.find("result"), failed = message.find("failed");
  if (result == message.end() || failed == message.end() || !failed->is_boolean()) return;
  Message response;
  response.kind = Message::Kind::Response;
  response.id = id;
  response.params = *result;
  response.failed = failed->get<bool>();
  session.client().clientRequests.answered(response); // of those whom nobody waits for here, too
}

} // namespace skillhost
