// SPDX-License-Identifier: Apache-2.0
// Messages about sessions between replicas. A replica that misses a message learns the change from
// the record, when it compares all of its sessions with their records.
#include "ground/constant_time.hpp"
#include "ground/json_member.hpp"
#include "mcp/client_session.hpp"
#include "session_store.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

// In bytes; an engine accepts messages of this size.
constexpr std::size_t largestMessage = 1000U << 10U;
constexpr std::size_t maxAsksPerSecond = 20, maxMessageDepth = 70, maxRememberedAnswers = 64;

const std::string *textIn(const Json &object, const char *name) {
  return memberOf(object, name).get_ptr<const std::string *>();
}

void passOnResponse(const HttpSession &session, const std::string &id, const Json &message) {
  const auto result = message.find("result");
  const Json &failed = memberOf(message, "failed");
  if (result == message.end() || !failed.is_boolean()) return;
  Message response;
  response.kind = Message::Kind::Response;
  response.id = id;
  response.params = *result;
  response.failed = failed.get<bool>();
  // This includes responses that nobody waits for here.
  session.client().clientRequests.onResponse(response);
}

// Applies a change from another replica, unless this replica has an unsaved change of the same
// subject, which is newer.
void applyRemoteChange(const HttpSession &session, const SessionChange &change) {
  {
    const std::scoped_lock lock(session.copy().mutex);
    if (session.copy().unsaved.contains(subjectOf(change))) return;
  }
  session.client().apply(change);
}

} // namespace

void SessionStore::publish(const char *kind, Json members) {
  members["kind"] = kind;
  state_->publish(channel, members.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void SessionStore::publish(const HttpSession &session, const char *kind, Json members) {
  members["session"] = session.copy().name;
  publish(kind, std::move(members));
}

void SessionStore::publishEnd(const std::string &name, std::int64_t until) {
  publish("end", {{"session", name}, {"until", until}});
}

// Clients cannot make up such a name, so only a response to a real request is sent to all replicas.
std::string SessionStore::questionName(const std::string &name, std::uint64_t number) const {
  const std::string own = replica_ + '-' + std::to_string(number);
  return own + '-' + ids_.code("question", name, own);
}

bool SessionStore::isQuestion(const HttpSession &session, std::string_view id) const {
  constexpr std::string_view begin = PendingClientRequests::idStart;
  if (!id.starts_with(begin) || !id.ends_with('"')) return false;
  const std::string_view name = id.substr(begin.size(), id.size() - begin.size() - 1);
  const std::size_t hyphen = name.rfind('-');
  if (hyphen == name.npos) return false;
  return equalInConstantTime(name.substr(hyphen + 1),
                             ids_.code("question", session.copy().name, name.substr(0, hyphen)));
}

bool SessionStore::mayAsk(const HttpSession &session) {
  SessionCopy &copy = session.copy();
  const auto now = std::chrono::steady_clock::now();
  const std::scoped_lock lock(copy.mutex);
  if (now - copy.asksSince >= std::chrono::seconds(1)) {
    copy.asksSince = now;
    copy.asks = 0;
  }
  if (copy.asks == maxAsksPerSecond) return false;
  ++copy.asks;
  return true;
}

// Passes on a response to a request that another replica may have sent.
SessionStore::Delivery SessionStore::forwardResponse(const HttpSession &session, Message message) {
  if (message.bytes > largestMessage) return Delivery::TooLarge;
  // A response to no request must not reach all replicas, because sending one costs the client
  // nothing.
  if (!isQuestion(session, message.id)) return Delivery::Taken;
  // The response is not recorded, because the client sends it again.
  if (!state_->isEngineReachable()) return Delivery::Unreachable;
  SessionCopy &copy = session.copy();
  {
    const std::scoped_lock lock(copy.mutex);
    if (std::ranges::find(copy.answered, message.id) != copy.answered.end()) return Delivery::Taken;
    if (copy.answered.size() == maxRememberedAnswers) copy.answered.pop_front();
    copy.answered.emplace_back(message.id);
  }
  publish(session, "response",
          {{"id", message.id}, {"failed", message.failed}, {"result", std::move(message.params)}});
  return Delivery::Taken;
}

SessionStore::Delivery SessionStore::deliver(const HttpSession &session, Message message) {
  ClientSession &client = session.client();
  if (!state_) {
    client.accept(std::move(message), nullptr);
    return Delivery::Taken;
  }
  if (message.kind == Message::Kind::Response)
    return client.clientRequests.onResponse(message) ? Delivery::Taken
                                                     : forwardResponse(session, std::move(message));
  const std::string id = cancelledId(message);
  if (id.empty()) {
    client.accept(std::move(message), nullptr);
    return Delivery::Taken;
  }
  if (client.cancel(id)) return Delivery::Taken;
  if (!state_->isEngineReachable()) return Delivery::Unreachable;
  if (!mayAsk(session)) return Delivery::TooMany;
  publish(session, "cancelled", {{"id", id}});
  return Delivery::Taken;
}

void SessionStore::onMessage(std::string_view text) {
  const auto message = readJsonObject(text, maxMessageDepth);
  const std::string *const kind = message ? textIn(*message, "kind") : nullptr;
  const std::string *const name = message ? textIn(*message, "session") : nullptr;
  if (kind == nullptr || name == nullptr) return;
  if (*kind == "end") {
    const Json &until = memberOf(*message, "until");
    if (until.is_number_integer()) ended_.add(*name, until.get<std::int64_t>(), secondsNow());
  }
  if (const Session session = findKnown(*name)) onSessionMessage(session, *kind, *message);
}

void SessionStore::onSessionMessage(const Session &session, std::string_view kind,
                                    const Json &message) {
  const std::string *const id = textIn(message, "id");
  if (kind == "end") {
    forget(session);
  } else if (kind == "listening") {
    {
      const std::scoped_lock lock(session->copy().mutex);
      session->copy().isListeningHere = false;
    }
    session->standaloneStream()->release();
  } else if (kind == "changed") {
    // A message may arrive late, when this replica has already written a record that contains its
    // changes.
    const Json &writes = memberOf(message, "writes");
    if (const std::scoped_lock lock(session->copy().mutex);
        writes.is_number_unsigned() && writes.get<std::uint64_t>() <= session->copy().writes)
      return;
    const Json &changes = memberOf(message, "changes");
    if (!changes.is_array() || changes.empty()) return refresh(session, [](NotesAge) {});
    for (const Json &one : changes)
      if (const auto change = changeFromJson(one)) applyRemoteChange(*session, *change);
  } else if (kind == "cancelled" && id != nullptr) {
    session->client().cancel(*id);
  } else if (kind == "response" && id != nullptr) {
    passOnResponse(*session, *id, message);
  }
}

} // namespace skillhost
