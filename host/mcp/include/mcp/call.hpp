// SPDX-License-Identifier: Apache-2.0
// One request on its way through the server. Whoever finishes it first wins; the rest is dropped.
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
  // Who asks; null when nobody is asked who it is, or has yet to be. Set before the handler runs.
  const PrincipalPointer &principal() const noexcept { return principal_; }
  void identify(PrincipalPointer principal);
  // The token that came with the message, once.
  void present(Secret token) { token_ = std::move(token); }
  Secret takeToken() { return std::move(token_); }
  // Of a call that stays open: watches the credential it came with, and ends the subscription when
  // that no longer lets it hear. Null when nobody is asked who it is.
  WatchPointer watchCredential();
  // What the caller may see of the catalogue of the moment, and of another one. Never the library's
  // own: that is for nobody's eyes.
  std::shared_ptr<const Catalogue> catalogue() const;
  // The same of what plugins offer.
  PluginToolSetPointer pluginTools() const;
  std::shared_ptr<const Catalogue> seen(const std::shared_ptr<const Catalogue> &whole) const;
  // What is searched for the caller: nothing but what they see. Null: there is no search.
  std::shared_ptr<Index> index() const;
  // How many skills that has, without having it made; none without search.
  std::optional<std::size_t> indexed() const;
  // Whether nothing can be hidden from the caller.
  bool seesAll() const { return Visibility::seesAll(key()); }
  std::string origin() const { return reply_->origin(); }
  // What of a tool's result this client is sent, by the setting or by what it says of itself.
  ResultForm resultForm() const;
  // True if the client says by its name that it is the host of an agent.
  bool isFromAgentHost() const;
  // Whether the session is there still with the next call, and knows what is loaded.
  bool remembers() const;
  std::chrono::milliseconds elapsed() const;
  // Counted from the arrival of the request. At first that of a query; a subscription has none.
  const Deadline &deadline() const noexcept { return deadline_; }
  bool isLate() const noexcept { return deadline_.passed(); }
  void allow(std::chrono::milliseconds span); // before watch()
  std::chrono::milliseconds allowed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline_.at() - begin_);
  }
  void allowForever() { deadline_ = Deadline::never(); }
  // For calls into plugins: they end with this one, and report progress to its client.
  CallOptions options();
  // Its place in a trace: found out when it is first asked for. Any thread.
  const CallTrace &trace() const;
  // What elapsed() told last, so that figures and answers agree and the clock is read once.
  std::chrono::nanoseconds age() const;
  const RequestOrigin &from() const { return reply_->requestOrigin(); }
  // It is refused for how much its client asks: its line in the log is one of those that are
  // limited. Before what answers it, on the same thread.
  void turnAway() noexcept { turnedAway_ = true; }
  // Adds a word to the request's line in the log: which tool, which URI.
  void about(std::string_view subject) {
    subject_.with([&](std::string &all) { (all += all.empty() ? "" : " ") += subject; });
  }

  // Says what the call uses, for observers. To be called before the answer; the last use counts.
  void uses(UseOfCall use);
  // There is nothing of what it asks for.
  void recordNoResult(std::string_view asked);

  // Exactly one of these has an effect; the others find the call finished. Any thread.
  // `meta`: members for the result's _meta, on the wire that has it.
  void result(Fragments members, Caching caching = notCached, std::string_view meta = {});
  // `failure`: what the envelope says is one. `warning`: what the operator is told of a success.
  void toolResult(Envelope &&envelope, const Failure *failure = nullptr,
                  std::string_view warning = {});
  // 2026-07-28: the client is to come back with what `members` ask for.
  void requireInput(const Fragments &members, std::string_view meta);
  void fail(const Failure &failure, std::string_view data = {});
  void failResource(std::string_view uri); // not found, in the words of the client's family
  void failParams(std::string_view uri);   // the same where every family says -32602
  void endSubscription();                  // subscriptions/listen, when the server ends it
  // With another code than the fault has.
  void failWith(Fault fault, int code, std::string_view message, std::string_view data = {});
  void timeOut(); // TOOL_TIMEOUT
  // Some step of it has thrown, mostly for want of memory: the client is told that it failed.
  void broke(const std::exception &why) noexcept;
  // The client gave it up: no answer is sent.
  void abandon();
  // To be called when the handler has returned: should the call still be open at its deadline, it
  // is answered with TOOL_TIMEOUT then.
  void watch();
  bool finished() const noexcept { return finished_.load(std::memory_order_acquire); }

  // A notification that belongs to this call; dropped when it is finished.
  void tell(Fragments notification);
  bool canTell() const { return reply_->canTell(); } // before it is answered
  // Tells the client how far the work is, if it asked to hear: what is no more than before is not
  // told, as the protocol wants it.
  void progress(std::uint64_t done, std::uint64_t total, std::string_view what);

  // While the call waits for the sources: tells the client how far they are, if it asked to hear.
  // One thread at a time calls these two.
  void followListings();
  void stopFollowing() { following_.reset(); }

private:
  // Of the principal, by the rules of the moment.
  Visibility::Key key() const;
  const Json *progressToken() const; // null: it did not ask to hear
  // Calls `settle`, which answers, if nothing has settled the call before. What it throws before
  // there is an answer becomes one.
  template <class Settle> void settleBy(Settle settle);
  void answerBroken(const std::exception &why) noexcept;
  bool claim() noexcept { return !finished_.exchange(true, std::memory_order_acq_rel); }
  void conclude(Fragments members, Caching caching, std::string_view meta, std::string_view outcome,
                LogLevel level, std::optional<Fault> fault = {});
  // `message` is sent, and moved from; null: there is no answer. `fault`: what it failed with, for
  // observers and for the log.
  void finish(Fragments *message, int errorCode, std::string_view outcome, LogLevel level,
              std::optional<Fault> fault = {});
  void writeLine(const CallEnd &end) const;

  const std::shared_ptr<ClientSession> session_;
  const std::shared_ptr<ReplyChannel> reply_;
  const Message message_;
  const ProtocolFamily family_;
  Secret token_;
  PrincipalPointer principal_;
  const CancelToken cancel_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Deadline deadline_;
  Guarded<Timer::Ticket> timeout_;
  Guarded<std::string> subject_; // the log line may be written by who cancels
  Guarded<std::optional<UseOfCall>> use_;
  bool turnedAway_ = false;
  bool answered_ = false; // for whoever has claimed it
  mutable std::once_flag traced_;
  mutable CallTrace trace_;
  std::shared_ptr<const ListingProgress::Observer> following_;
  std::atomic<std::uint64_t> leastProgress_{0}; // to be told
  std::atomic<bool> finished_{false};
  mutable std::atomic<std::chrono::nanoseconds> told_{std::chrono::nanoseconds(0)};
};

using CallPointer = std::shared_ptr<Call>;

} // namespace skillhost
