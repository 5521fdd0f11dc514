// SPDX-License-Identifier: Apache-2.0
#include "mcp/call.hpp"

#include "access/access.hpp"
#include "admission.hpp"
#include "base/log.hpp"
#include "base/log_members.hpp"
#include "call_members.hpp"
#include "ground/bind_weak.hpp"
#include "ground/json_member.hpp"
#include "ground/json_text.hpp"
#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/plugin_tools_view.hpp"
#include "mcp/services.hpp"
#include "rpc/known_clients.hpp"

#include <exception>
#include <string>
#include <utility>

namespace skillhost {
namespace {

// Does work beside an answer, such as a metric or a log line. If it fails, the answer is still
// sent.
template <class Work> void attempt(Work work) noexcept {
  try {
    work();
  } catch (const std::exception &why) {
    log::failure("mcp", {"a part of a call failed"}, why);
  }
}

} // namespace

Call::Call(std::shared_ptr<ClientSession> session, std::shared_ptr<ReplyChannel> reply,
           Message message, ProtocolFamily family)
    : session_(std::move(session)), reply_(std::move(reply)), message_(std::move(message)),
      family_(family),
      deadline_(Deadline::at(begin_ + session_->services().settings.deadlines.query)) {
  setPrincipal(reply_->principal());
}

void Call::setPrincipal(PrincipalPointer principal) {
  if (!principal) return;
  principal_ = std::move(principal);
  isPrincipalSet_.store(true, std::memory_order_release);
}

WatchPointer Call::watchCredential() {
  const Access *const access = services().access;
  if (access == nullptr) return nullptr;
  StoredCredential credential = reply_->credential();
  if (credential.empty()) credential = {std::move(token_), localPeer()};
  return access->watch(std::move(credential), principal_, bindWeak(this, &Call::endSubscription));
}

Visibility::Key Call::key() const {
  const Access *const access = services().access;
  return access == nullptr ? Visibility::Key() : access->visibility().keyOf(principal_.get());
}

std::shared_ptr<const Catalogue> Call::catalogue() const {
  return seen(services().library.catalogue());
}

std::shared_ptr<const Catalogue> Call::seen(const std::shared_ptr<const Catalogue> &whole) const {
  return Visibility::view(whole, key());
}

std::shared_ptr<Index> Call::index() const {
  const Visibility::Key mine = key();
  // Not owned, because it outlives every call.
  if (Visibility::seesAll(mine)) return {std::shared_ptr<Index>(), services().index};
  if (services().index == nullptr || services().viewIndexes == nullptr) return nullptr;
  return services().viewIndexes->indexFor(mine);
}

std::optional<std::size_t> Call::indexed() const {
  if (services().index == nullptr) return std::nullopt;
  const Visibility::Key mine = key();
  if (Visibility::seesAll(mine)) return services().index->size();
  if (services().viewIndexes == nullptr) return std::nullopt;
  const auto known = services().viewIndexes->find(mine);
  return known ? known->size() : 0;
}

PluginToolSetPointer Call::pluginTools() const {
  return seenPluginTools(key(), services().pluginTools.current());
}

Services &Call::services() const noexcept { return session_->services(); }

std::chrono::milliseconds Call::elapsed() const {
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now() - begin_;
  lastAge_.store(now, std::memory_order_relaxed);
  return std::chrono::duration_cast<std::chrono::milliseconds>(now);
}

std::chrono::nanoseconds Call::age() const {
  const std::chrono::nanoseconds told = lastAge_.load(std::memory_order_relaxed);
  return told.count() != 0 ? told : std::chrono::steady_clock::now() - begin_;
}

void Call::setTimeLimit(std::chrono::milliseconds span) { deadline_ = Deadline::at(begin_ + span); }

CallOptions Call::options() {
  return {deadline_,
          cancel_,
          [call = shared_from_this()](std::uint64_t done, std::uint64_t total,
                                      std::string_view what) { call->progress(done, total, what); },
          session_->client() == ClientSession::Client::Only ? std::string() : clientOf(*this),
          trace().passed,
          [call = shared_from_this()](const std::exception &why) { call->failWithException(why); }};
}

const CallTrace &Call::trace() const {
  std::call_once(traced_, [this] { trace_ = traceOf(*this); });
  return trace_;
}

void Call::startTimeout() {
  if (isFinished() || deadline_.isNever()) return;
  // A plugin's executor knows better what was late, so it may answer first.
  constexpr std::chrono::milliseconds firstWord{10};
  const Timer::Ticket ticket =
      services().timer.at(deadline_.at() + firstWord, [weak = weak_from_this()] {
        const auto call = weak.lock();
        if (!call) return;
        try {
          call->timeOut();
        } catch (const std::exception &why) {
          call->failWithException(why);
        }
      });
  timeout_.with([&](Timer::Ticket &own) { own = ticket; });
  if (isFinished()) services().timer.cancel(ticket);
}

void Call::timeOut() {
  Failure failure{Fault::ToolTimeout,
                  "no answer within " + std::to_string(timeLimit().count()) + " ms"};
  cancel_.cancel();
  if (method() != "tools/call") return fail(failure);
  if (!isFinished()) services().callMetrics.onToolFailed(*this, failure.fault);
  toolResult(envelope(ToolFailure{failure, {}, {}}, elapsed(), resultForm()), &failure);
}

template <class Settle> void Call::answerOnce(Settle settle) {
  if (!claim()) return;
  try {
    settle();
  } catch (const std::exception &why) {
    answerBroken(why);
  }
}

// The memory of the failed answer is free by now, so that this one can be made.
void Call::answerBroken(const std::exception &why) noexcept {
  log::failure("mcp", {method(), " could not be answered"}, why);
  attempt([&] {
    const int code = describe(faultOfException(why)).jsonRpc;
    if (!answered_) reply_->answer(errorMessage(id(), code, wordsOfException(why), {}), code);
  });
  attempt([&] { session_->onCallFinished(*this); });
}

void Call::failWithException(const std::exception &why) noexcept {
  attempt([&] {
    std::string words = wordsOfException(why);
    const Fault fault = faultOfException(why);
    if (fault == Fault::Internal) (words += ": ") += why.what();
    fail({fault, std::move(words)});
  });
  if (claim()) answerBroken(why); // there was no memory for the words
}

void Call::result(Fragments members, Caching caching, std::string_view meta) {
  conclude(std::move(members), caching, meta, "ok", LogLevel::Info);
}

void Call::conclude(Fragments members, Caching caching, std::string_view meta,
                    std::string_view outcome, LogLevel level, std::optional<Fault> fault) {
  answerOnce([&] {
    // A client must not reuse the answer for another caller, who may see less.
    if (services().access != nullptr && services().access->authenticator() != nullptr)
      caching.shared = false;
    Fragments message = resultMessage(family_, id(), std::move(members), caching,
                                      services().settings.version, meta);
    finish(&message, 0, outcome, level, fault);
  });
}

void Call::toolResult(Envelope &&envelope, const Failure *failure, std::string_view warning) {
  // The timer of the deadline lets the late plugin answer first, so a result may arrive before the
  // timer fires.
  if (failure == nullptr && isLate()) return timeOut();
  // The modern family has a place for it among the host's own members.
  if (!envelope.meta.empty() && family_ == ProtocolFamily::Legacy)
    envelope.members.append(R"(,"_meta":{)").append(envelope.meta).append("}");
  if (failure == nullptr && warning.empty())
    return result(std::move(envelope.members), notCached, envelope.meta);
  if (failure == nullptr)
    return conclude(std::move(envelope.members), notCached, envelope.meta, warning,
                    LogLevel::Warning);
  const FaultInfo &info = describe(failure->fault);
  conclude(std::move(envelope.members), notCached, envelope.meta,
           std::string(info.code) + ": " + failure->message, info.level, failure->fault);
}

ResultForm Call::resultForm() const {
  switch (services().settings.results) {
  case Results::Text:
    return ResultForm::Text;
  case Results::Both:
    return ResultForm::Both;
  case Results::Structured:
    return ResultForm::Structured;
  case Results::Auto:
    break;
  }
  return isFromAgentHost() ? ResultForm::Text : ResultForm::Both;
}

bool Call::isFromAgentHost() const {
  if (family_ == ProtocolFamily::Legacy) return session_->resultForm() == ResultForm::Text;
  // A client of this family names itself with every request.
  return isAgentHost(clientName(memberOf(params(), "_meta"), clientInfoKey));
}

bool Call::remembers() const { return session_->client() != ClientSession::Client::OneRequest; }

void Call::requireInput(const Fragments &members, std::string_view meta) {
  answerOnce([&] {
    Fragments message = resultMessage(family_, id(), members, notCached,
                                      services().settings.version, meta, "input_required");
    finish(&message, 0, "input required", LogLevel::Info);
  });
}

void Call::fail(const Failure &failure, std::string_view data) {
  answerOnce([&] {
    const FaultInfo &info = describe(failure.fault);
    Fragments message =
        errorMessage(id(), info.jsonRpc, failureForCaller(*this, failure).message, data);
    finish(&message, info.jsonRpc, failure.message, info.level, failure.fault);
  });
}

void Call::failResource(std::string_view uri) {
  std::string data = R"({"uri":)";
  appendJsonString(data, uri);
  data += '}';
  failWith(Fault::NotFound, resourceNotFound(family_),
           "Resource not found: " + std::string(cutUtf8(uri, 500)), data);
}

void Call::failParams(std::string_view uri) {
  std::string data = R"({"uri":)";
  appendJsonString(data, uri);
  data += '}';
  fail({Fault::InvalidParams, "Resource not found: " + std::string(cutUtf8(uri, 500))}, data);
}

void Call::endSubscription() {
  answerOnce([&] {
    Fragments message = resultMessage(family_, id(), {}, notCached, services().settings.version,
                                      R"("io.modelcontextprotocol/subscriptionId":)" + id());
    finish(&message, 0, "ended", LogLevel::Info);
  });
}

void Call::failWith(Fault fault, int code, std::string_view words, std::string_view data) {
  answerOnce([&] {
    const std::string told = failureForCaller(*this, {fault, std::string(words)}).message;
    Fragments message = errorMessage(id(), code, told, data);
    finish(&message, code, words, describe(fault).level, fault);
  });
}

void Call::abandon() {
  cancel_.cancel();
  answerOnce(
      [&] { finish(nullptr, 0, "cancelled by the client", LogLevel::Info, Fault::Cancelled); });
}

void Call::finish(Fragments *message, int errorCode, std::string_view outcome, LogLevel level,
                  std::optional<Fault> fault) {
  // First, so that a client with the answer finds it counted.
  attempt([&] { services().callMetrics.onCallFinished(*this); });
  if (message != nullptr) reply_->answer(std::move(*message), errorCode);
  answered_ = true;
  attempt([&] {
    if (services().observers.anyWants(event::callEnded))
      notifyCallEnded(*this, use_.with([](auto &use) { return std::exchange(use, std::nullopt); }),
                      fault);
  });
  if (const Timer::Ticket ticket = timeout_.copy(); ticket.number != 0)
    services().timer.cancel(ticket);
  attempt([&] {
    if (log::enabled(level))
      // The line names the number of a JSON-RPC error.
      writeLine({age(), message != nullptr, errorCode,
                 fault && message != nullptr && errorCode == 0 ? describe(*fault).code
                                                               : std::string_view(),
                 outcome, level});
  });
  session_->onCallFinished(*this);
}

void Call::uses(UseOfCall use) {
  if (services().observers.anyWants(event::callEnded))
    use_.with([&](auto &own) { own = std::move(use); });
}

void Call::recordNoResult(std::string_view asked) {
  use_.with([&](auto &own) {
    if (!own) return;
    own->asked = asked;
    own->outcome = useNothing;
  });
}

void Call::writeLine(const CallEnd &end) const {
  constexpr std::size_t usual = 160; // bytes
  std::string line;
  line.reserve(usual);
  line += cutUtf8(method(), 100);
  subject_.with([&](const std::string &subject) {
    if (!subject.empty()) (line += ' ') += cutUtf8(subject, 200);
  });
  (line += ": ") += cutUtf8(end.outcome, 500);
  const std::string_view origin = reply_->origin();
  appendPieces(line, {" (", millisecondsText(end.took), " ms)", origin.empty() ? "" : " ", origin});
  const std::string members = log::wantsMembers() ? callMembers(*this, end) : std::string();
  if (isRateLimited_)
    log::refused(end.level, "mcp", session_->name(), line, members);
  else
    log::write(end.level, "mcp", line, members);
}

void Call::sendMessage(Fragments notification) {
  if (!isFinished()) reply_->sendMessage(std::move(notification));
}

const Json *Call::progressToken() const {
  const Json &token = memberOf(memberOf(params(), "_meta"), "progressToken");
  return token.is_string() || token.is_number_integer() ? &token : nullptr;
}

void Call::followListings() {
  if (progressToken() == nullptr) return;
  following_ = services().library.progress().observe(
      [weak = weak_from_this()](std::uint64_t done, std::uint64_t total, std::string_view what) {
        const auto call = weak.lock();
        if (!call) return;
        // Not every caller may know which sources there are, or how much is in them.
        const std::string_view words = call->principal() ? "the skills are listed" : what;
        if (call->seesAll()) return call->progress(done, total, words);
        call->progress(call->minProgress_, 0, "the skills are listed");
      });
}

void Call::progress(std::uint64_t done, std::uint64_t total, std::string_view what) {
  const Json *const token = isFinished() ? nullptr : progressToken();
  if (token == nullptr) return;
  std::uint64_t least = minProgress_;
  do {
    if (done < least) return;
  } while (!minProgress_.compare_exchange_weak(least, done + 1));
  std::string text =
      R"({"progressToken":)" + token->dump() + R"(,"progress":)" + std::to_string(done);
  if (total != 0) text += R"(,"total":)" + std::to_string(total);
  if (!what.empty()) {
    text += R"(,"message":)";
    appendJsonString(text, what);
  }
  text += '}';
  sendMessage(notificationMessage("notifications/progress", text));
}

} // namespace skillhost
