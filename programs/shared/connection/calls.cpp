// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include "base/log.hpp"
#include "call.hpp"
#include "rpc/repeated_fields.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::chrono::minutes maxWait{30}; // the most that any answer may take
constexpr std::size_t maxSubscriptions = 64;

RemoteRefusal locally(Fault fault, std::string words) {
  const FaultInfo &info = describe(fault);
  return {info.jsonRpc,
          std::move(words),
          std::string(R"({"code":")") + std::string(info.code) + R"(","retryable":)" +
              (info.retryable ? "true}" : "false}"),
          {}};
}

} // namespace

Calls::Call::Call(ClientMessage given)
    : message(std::move(given)), isModern(!message.version.empty()),
      isSubscription(message.method == "subscriptions/listen"),
      mayRepeat(skillhost::mayRepeat(message.method)) {}

void Calls::begin(ClientMessage message) {
  const auto call = std::make_shared<Call>(std::move(message));
  call->holdUntil = Clock::now() + patience_;
  call->answerBy = Clock::now() + maxWait;
  const std::string &id = call->message.id;
  const bool tooMany = call->isSubscription && subscriptions_ >= maxSubscriptions;
  if (tooMany || calls_.contains(id)) {
    const RemoteRefusal why =
        tooMany ? locally(Fault::RateLimited, "there are 64 subscriptions already")
                : locally(Fault::InvalidRequest, "a request with this id is under way already");
    owner_.send(errorAnswer(id, why.code, why.words, why.data));
    if (!call->isSubscription) owner_.onEnded();
    return;
  }
  if (call->isSubscription) ++subscriptions_;
  calls_.emplace(id, call);
  if (!call->isModern && session_.isRequested()) {
    session_.unblock();
    session_.remember(call->message);
  }
}

bool Calls::cancel(const ClientMessage &message) {
  const auto id = message.params.find("requestId");
  if (id == message.params.end()) return false;
  const auto found = calls_.find(id->dump());
  if (found == calls_.end()) return false;
  const Pointer call = found->second;
  const bool wasSent = call->exchange != 0;
  // Within a session a closed connection cancels nothing, so the server needs the notification.
  if (wasSent && !call->session.empty())
    remote_.start("POST", session_.fields(), message.line,
                  {{}, [](std::string_view) {}, [](const AnswerEnd &) {}});
  forget(call);
  return true;
}

Calls::Clock::time_point Calls::due() const {
  Clock::time_point due = Clock::time_point::max();
  for (const auto &[id, call] : calls_) {
    if (!call->isSubscription)
      due = std::min(due, call->exchange != 0 ? call->answerBy : call->holdUntil);
    if (call->exchange == 0 && call->sendAt > Clock::now()) due = std::min(due, call->sendAt);
    if (canSend(*call) && remote_.nextTry() > Clock::now()) due = std::min(due, remote_.nextTry());
  }
  return due;
}

bool Calls::busy() const { return calls_.size() > subscriptions_; }

bool Calls::canSend(const Call &call) const {
  return call.exchange == 0 && (call.isModern || !session_.isRequested() || session_.isOpen());
}

void Calls::work() {
  std::vector<Pointer> all;
  all.reserve(calls_.size());
  for (const auto &[id, call] : calls_) all.push_back(call);
  const auto now = Clock::now();
  for (const Pointer &call : all) {
    if (call->exchange != 0) {
      if (!call->isSubscription && now >= call->answerBy)
        refuse(call, locally(Fault::ToolTimeout, "the server has not answered for 30 minutes"));
      continue;
    }
    if (now >= call->holdUntil && (!call->isSubscription || call->grantedFilter.is_null())) {
      refuse(call, locally(Fault::Unavailable, remote_.failureReason()));
      continue;
    }
    if (canSend(*call) && now >= call->sendAt && remote_.ready()) send(call);
  }
}

void Calls::send(const Pointer &call) {
  ++call->attempts;
  HttpFields fields = call->isModern || !session_.isRequested() ? postFields() : session_.fields();
  call->session = call->isModern ? std::string{} : session_.id();
  const bool goesOn = !call->lastEvent.empty();
  if (call->isModern) {
    HttpFields more =
        repeatedFields(call->message.version, call->message.method, call->message.params);
    fields.insert(fields.end(), more.begin(), more.end());
  }
  if (goesOn) {
    fields.erase(fields.begin(), fields.begin() + 2);
    fields.emplace_back("Accept", "text/event-stream");
    fields.emplace_back("Last-Event-ID", call->lastEvent);
  }
  call->exchange = remote_.start(goesOn ? "GET" : "POST", std::move(fields),
                                 goesOn ? std::string{} : call->message.line,
                                 {{},
                                  [this, call](std::string_view text) { onMessage(call, text); },
                                  [this, call](const AnswerEnd &end) {
                                    if (call->isFinished) return;
                                    call->exchange = 0;
                                    onEnded(call, end);
                                  }});
}

void Calls::refuseHeld(const RemoteRefusal &why) {
  std::vector<Pointer> held;
  for (const auto &[id, call] : calls_)
    if (!call->isModern && call->exchange == 0) held.push_back(call);
  for (const Pointer &call : held) refuse(call, why);
}

void Calls::clear() {
  while (!calls_.empty()) {
    const Pointer first = calls_.begin()->second; // a copy: forget() removes the map's
    forget(first);
  }
}

void Calls::answer(const Pointer &call, std::string_view text) {
  if (call->isFinished) return;
  owner_.send(text);
  // The exchange of a plain request ends by itself, which keeps its connection for reuse.
  if (!call->isSubscription) call->exchange = 0;
  forget(call);
}

void Calls::refuse(const Pointer &call, const RemoteRefusal &why) {
  if (!why.advice.empty())
    log::error("connect", call->message.method + ": " + why.words + "; " + why.advice);
  answer(call, errorAnswer(call->message.id, why.code, why.words, why.data));
}

void Calls::forget(const Pointer &call) {
  if (std::exchange(call->isFinished, true)) return;
  if (call->exchange != 0) remote_.stop(call->exchange);
  calls_.erase(call->message.id);
  if (call->isSubscription)
    --subscriptions_;
  else
    owner_.onEnded();
}

} // namespace skillhost
