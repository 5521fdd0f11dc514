// SPDX-License-Identifier: Apache-2.0
// A Call carries a request through the server. Only the first answer to it is sent, and later ones
// are dropped.
#pragma once

#include "access/visibility.hpp"
#include "base/fault.hpp"
#include "base/listing_progress.hpp"
#include "ground/cancel.hpp"
#include "ground/deadline.hpp"
#include "ground/guarded.hpp"
#include "ground/secret.hpp"
#include "ground/timer.hpp"
#include "mcp/call_trace.hpp"
#include "mcp/plugin_tools.hpp"
#include "mcp/reply_channel.hpp"
#include "mcp/use_of_call.hpp"
#include "plugin/call.hpp"
#include "rpc/envelope.hpp"
#include "rpc/message.hpp"
#include "rpc/revision.hpp"
#include "search/index.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

class ClientSession;
struct CallEnd;
struct Services;

class Call : public std::enable_shared_from_this<Call> {
public:
  Call(std::shared_ptr<ClientSession> session, std::shared_ptr<ReplyChannel> reply, Message message,
       ProtocolFamily family);
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  const std::string &id() const noexcept { return message_.id; }
  const std::string &method() const noexcept { return message_.method; }
  const Json &params() const noexcept { return message_.params; }
  std::size_t bytes() const noexcept { return message_.bytes; }
  ProtocolFamily family() const noexcept { return family_; }
  const CancelToken &cancel() const noexcept { return cancel_; }
  ClientSession &session() const noexcept { return *session_; }
  Services &services() const noexcept;
  // Returns the caller; null if callers are not identified, or before the caller is known.
  const PrincipalPointer &principal() const noexcept {
    static const PrincipalPointer unknown;
    return isPrincipalSet_.load(std::memory_order_acquire) ? principal_ : unknown;
  }
  void setPrincipal(PrincipalPointer principal);
  // Stores the token that came with the message; takeToken() moves it out.
  void setToken(Secret token) { token_ = std::move(token); }
  Secret takeToken() { return std::move(token_); }
  // Watches the credential of a subscription, and ends the subscription when the credential is no
  // longer sufficient. Keep the result as long as the subscription. Null if callers are not
  // identified.
  WatchPointer watchCredential();
  // Returns the part of the current catalogue that the caller may see. Handlers never use the
  // library's catalogue itself, because it contains hidden skills too.
  std::shared_ptr<const Catalogue> catalogue() const;
  // Returns the tools, prompts and resources of plugins that the caller may see.
  PluginToolSetPointer pluginTools() const;
  // Returns the part of `whole` that the caller may see.
  std::shared_ptr<const Catalogue> seen(const std::shared_ptr<const Catalogue> &whole) const;
  // Returns the index to search for the caller: it has only what they see. Null if there is no
  // search.
  std::shared_ptr<Index> index() const;
  // Returns the number of skills in that index, without building it; nothing without search.
  std::optional<std::size_t> indexed() const;
  // True if nothing can be hidden from the caller.
  bool seesAll() const { return Visibility::seesAll(key()); }
  // Returns the form in which this client gets a tool's result, by the setting or by its own name.
  ResultForm resultForm() const;
  // True if the client's name is that of a host of an agent.
  bool isFromAgentHost() const;
  // True if the session still exists at the next call, so that it remembers which skills it has
  // loaded.
  bool remembers() const;
  std::chrono::milliseconds elapsed() const;
  // Returns the deadline, counted from the arrival of the request. It begins as the deadline of a
  // query.
  const Deadline &deadline() const noexcept { return deadline_; }
  bool isLate() const noexcept { return deadline_.passed(); }
  void setTimeLimit(std::chrono::milliseconds span); // before startTimeout()
  std::chrono::milliseconds timeLimit() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline_.at() - begin_);
  }
  void removeTimeLimit() { deadline_ = Deadline::never(); }
  // For calls into plugins: they end with this call, and report progress to its client.
  CallOptions options();
  // Returns the trace and the span of the call. They are determined at the first call of trace().
  // Any thread.
  const CallTrace &trace() const;
  // Returns the last value of elapsed(), so that metrics and answers agree and the clock is read
  // once.
  std::chrono::nanoseconds age() const;
  const RequestOrigin &requestOrigin() const { return reply_->requestOrigin(); }
  // Records that the call is refused because its client asks too often. The log limits the number
  // of lines about such calls. Called before the answer, on the same thread.
  void markRateLimited() noexcept { isRateLimited_ = true; }
  // Adds a word to the request's line in the log, such as its tool or URI.
  void addToLogLine(std::string_view subject) {
    subject_.with([&](std::string &all) { (all += all.empty() ? "" : " ") += subject; });
  }

  // Records for observers what the call uses. Call it before the answer; the last use counts.
  void uses(UseOfCall use);
  // Records for observers that nothing was found for the request.
  void recordNoResult(std::string_view asked);

  // The functions from here to abandon() finish the call. Only the first one that is called has an
  // effect. Any thread. `meta` has members for the _meta of the result, in the family that has it.
  void result(Fragments members, Caching caching = notCached, std::string_view meta = {});
  // `failure` is the failure that the envelope describes. `warning` is logged for a success.
  void toolResult(Envelope &&envelope, const Failure *failure = nullptr,
                  std::string_view warning = {});
  // 2026-07-28: the client has to come back with what `members` ask for.
  void requireInput(const Fragments &members, std::string_view meta);
  void fail(const Failure &failure, std::string_view data = {});
  void failResource(std::string_view uri); // not found, in the words of the client's family
  void failParams(std::string_view uri);   // not found, with the code -32602 in every family
  void endSubscription();                  // subscriptions/listen, when the server ends it
  // Fails with another code than the fault has.
  void failWith(Fault fault, int code, std::string_view message, std::string_view data = {});
  void timeOut(); // fails with TOOL_TIMEOUT
  // Fails because a step of the call has thrown, in most cases because memory ran out.
  void failWithException(const std::exception &why) noexcept;
  // Sends no answer, because the client gave up the call.
  void abandon();

  // Called when the handler has returned. If the call is not finished at its deadline, timeOut() is
  // then called.
  void startTimeout();
  bool isFinished() const noexcept { return finished_.load(std::memory_order_acquire); }

  // Sends a notification that belongs to this call; drops it if the call is finished.
  void sendMessage(Fragments notification);
  bool canSendMessages() const { return reply_->canSendMessages(); } // before it is answered
  // Reports progress to the client, if it asked for it. A value that is not above the last one is
  // not reported, as the protocol requires.
  void progress(std::uint64_t done, std::uint64_t total, std::string_view what);

  // followListings() reports the progress of the sources to the client, if it asked for it, until
  // stopFollowing() is called. One thread at a time calls these two.
  void followListings();
  void stopFollowing() { following_.reset(); }

private:
  // Returns the visibility key of the principal, by the current rules.
  Visibility::Key key() const;
  const Json *progressToken() const; // null: the client did not ask for progress
  // Calls `settle`, which answers, unless the call is finished. If `settle` throws before it has
  // answered, the client gets the exception as the answer.
  template <class Settle> void answerOnce(Settle settle);
  void answerBroken(const std::exception &why) noexcept;
  bool claim() noexcept { return !finished_.exchange(true, std::memory_order_acq_rel); }
  void conclude(Fragments members, Caching caching, std::string_view meta, std::string_view outcome,
                LogLevel level, std::optional<Fault> fault = {});
  // `message` is sent, and moved from; null: there is no answer. `fault` is the reason of a
  // failure, for observers and for the log.
  void finish(Fragments *message, int errorCode, std::string_view outcome, LogLevel level,
              std::optional<Fault> fault = {});
  void writeLine(const CallEnd &end) const;

  const std::shared_ptr<ClientSession> session_;
  const std::shared_ptr<ReplyChannel> reply_;
  const Message message_;
  const ProtocolFamily family_;
  Secret token_;
  PrincipalPointer principal_; // read by other threads when isPrincipalSet_ is true
  std::atomic<bool> isPrincipalSet_{false};
  const CancelToken cancel_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Deadline deadline_;
  Guarded<Timer::Ticket> timeout_;
  Guarded<std::string> subject_; // the thread that cancels may write the log line
  Guarded<std::optional<UseOfCall>> use_;
  bool isRateLimited_ = false;
  bool answered_ = false; // used by the thread that has claimed the call
  mutable std::once_flag traced_;
  mutable CallTrace trace_;
  std::shared_ptr<const ListingProgress::Observer> following_;
  std::atomic<std::uint64_t> minProgress_{0}; // the least to report
  std::atomic<bool> finished_{false};
  mutable std::atomic<std::chrono::nanoseconds> lastAge_{std::chrono::nanoseconds(0)};
};

using CallPointer = std::shared_ptr<Call>;

} // namespace skillhost
