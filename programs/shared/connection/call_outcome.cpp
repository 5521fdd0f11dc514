// SPDX-License-Identifier: Apache-2.0
// Handles the server's messages for a request, and decides what follows when an exchange has ended.
#include "base/fault.hpp"
#include "base/log.hpp"
#include "call.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost {
namespace {

constexpr int maxAttempts = 5; // for a request that the server accepts and never answers

constexpr std::array<std::pair<const char *, const char *>, 3> changes{
    {{"toolsListChanged", "tools/list_changed"},
     {"promptsListChanged", "prompts/list_changed"},
     {"resourcesListChanged", "resources/list_changed"}}};

std::string notification(std::string_view method, Json params, const std::string &subscription) {
  params["_meta"]["io.modelcontextprotocol/subscriptionId"] = Json::parse(subscription);
  std::string text = R"({"jsonrpc":"2.0","method":"notifications/)";
  text += method;
  return text + R"(","params":)" + params.dump() + '}';
}

// The refusal of a request that must not be repeated: after `what`, nobody knows whether the server
// carried it out.
RemoteRefusal unknownOutcome(std::string_view what) {
  return {describe(Fault::OperationFailed).jsonRpc,
          std::string(what) + ": what became of the request is not known",
          R"({"code":"OPERATION_FAILED","retryable":false})",
          {}};
}

} // namespace

void Calls::onMessage(const Pointer &call, std::string_view text) {
  if (call->isFinished) return;
  auto message = readServerMessage(text);
  if (!message) {
    log::warning("connect",
                 "the server sent what is no message, in answer to " + call->message.method);
    return;
  }
  if (call->isSubscription && onSubscriptionMessage(*call, *message)) return;
  if (!message->answer) return owner_.send(text);
  if (message->id == call->message.id) return answer(call, text);
  if (message->id != "null" || !message->json.contains("error")) return;
  message->json["id"] = Json::parse(call->message.id);
  answer(call, message->json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Returns true if the client must not see the message, because it does not know that its
// subscription was opened again.
bool Calls::onSubscriptionMessage(Call &call, const ServerMessage &message) {
  // When the server ends a subscription, on its own or by a time limit, it is opened again.
  if (message.answer) return message.json.contains("result") && !call.grantedFilter.is_null();
  if (message.method != "notifications/subscriptions/acknowledged") return false;
  call.backoff.reset();
  const Json &params = message.json.contains("params") ? message.json["params"] : Json();
  const bool again = !call.grantedFilter.is_null();
  call.grantedFilter = params.is_object() && params.contains("notifications")
                           ? params["notifications"]
                           : Json::object();
  if (!again || !call.grantedFilter.is_object()) return again;
  // Nobody reported the changes while the subscription was closed, so announce all kinds.
  for (const auto &[member, method] : changes)
    if (call.grantedFilter.contains(member) && call.grantedFilter[member] == true)
      owner_.send(notification(method, Json::object(), call.message.id));
  if (const auto uris = call.grantedFilter.find("resourceSubscriptions");
      uris != call.grantedFilter.end() && uris->is_array())
    for (const Json &uri : *uris)
      owner_.send(notification("resources/updated", {{"uri", uri}}, call.message.id));
  return true;
}

// Keeps the request until the server is reachable or its delay has passed, then sends it again.
void Calls::hold(Call &call, const AnswerEnd &end) {
  const auto now = Clock::now();
  call.sendAt =
      now + std::max(end.retry.value_or(std::chrono::milliseconds(0)), call.backoff.next());
  // The client's patience starts when the first answer is lost, not when the request was sent.
  if (!std::exchange(call.wasLost, true)) call.holdUntil = now + patience_;
}

void Calls::onEnded(const Pointer &call, const AnswerEnd &end) {
  using Kind = HttpEnd::Kind;
  const int status = end.head.status;
  if (end.end.kind == Kind::NeverSent) {
    --call->attempts;
    return; // held, and sent when the server is reachable
  }
  if (end.end.kind == Kind::Untrusted || end.end.kind == Kind::TooLarge)
    return refuse(call, refusalOf(end));
  if (status == 401 && !call->isTokenRenewed && remote_.renewToken()) {
    call->isTokenRenewed = true;
    return;
  }
  if (status == 404 && !call->session.empty()) {
    // The server has not processed the request, so it is safe to send it again in a new session.
    if (call->lastEvent.empty() && call->attempts < maxAttempts)
      return session_.onSessionLost(call->session);
    call->lastEvent.clear(); // no event to resume after
    if (call->mayRepeat) return hold(*call, end);
    return refuse(call, unknownOutcome("the server has lost the rest of the answer"));
  }
  if (status == 503) {
    // A server that sends Retry-After or a JSON-RPC error has not tried the request. A bare 503 may
    // come from a proxy whose server failed midway. Resuming after an event repeats nothing.
    const bool untried = !end.head.retryAfter.empty() || holdsError(end);
    if (untried || call->mayRepeat || !call->lastEvent.empty()) return hold(*call, end);
    return refuse(call, unknownOutcome("the server answered with HTTP status 503"));
  }
  const bool cutOff = end.end.kind == Kind::Broken || status == 200;
  const bool byProxy = status == 502 || status == 504;
  if (!cutOff && !byProxy) return refuse(call, refusalOf(end));
  if (status == 200 && end.end.kind == Kind::Complete && end.head.type != "text/event-stream")
    return refuse(call, refusalOf(end)); // not MCP
  if (!end.lastId.empty() && !call->session.empty()) call->lastEvent = end.lastId;
  const bool goesOn = !call->lastEvent.empty() && call->session == session_.id();
  const bool endless = call->isSubscription && !call->grantedFilter.is_null();
  if (endless || ((goesOn || call->mayRepeat) && call->attempts < maxAttempts))
    return hold(*call, end);
  refuse(call, unknownOutcome("the connection to the server broke before the answer came"));
}

} // namespace skillhost
