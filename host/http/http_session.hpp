// SPDX-License-Identifier: Apache-2.0
// A session of the legacy family over HTTP: the result of a client's handshake, and the streams
// that it can resume.
#pragma once

#include "event_stream.hpp"
#include "ground/time_reading.hpp"
#include "mcp/client_session.hpp"
#include "session_copy.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace skillhost {

class HttpSession;

// Limits that the sessions of one principal share, or the sessions without a principal from one
// network.
struct SessionShare {
  explicit SessionShare(std::string theKey) : key(std::move(theKey)) {}

  const std::string key; // names the principal or the network
  SessionBudget budget{32U << 20U};
  // Its sessions in the table, the longest unused one first; under the lock of the table.
  std::list<const HttpSession *> order;
};

// Any thread.
class HttpSession {
public:
  static constexpr std::uint64_t standaloneNumber = 0; // the stream that belongs to no request

  using Clock = std::chrono::steady_clock;

  // Makes the client whose messages the session carries. It may keep a std::weak_ptr of the
  // session, and calls nothing of it but room() and copy().
  using MakeClient =
      std::function<std::shared_ptr<ClientSession>(const std::shared_ptr<HttpSession> &session)>;
  // The bytes that its streams keep count against the budget of `share`.
  static std::shared_ptr<HttpSession> make(std::string owner, std::size_t maxEvents,
                                           StreamAudience audience,
                                           std::shared_ptr<SessionShare> share,
                                           std::unique_ptr<SessionCopy> copy,
                                           const MakeClient &makeClient) {
    const std::shared_ptr<HttpSession> made(new HttpSession(
        std::move(owner), maxEvents, std::move(audience), std::move(share), std::move(copy)));
    made->client_ = makeClient(made);
    return made;
  }
  // Sets the id that its client sends. Call it once, before the session is in a table.
  void setId(std::string id) { id_ = std::move(id); }

  const std::string &id() const noexcept { return id_; }
  // Returns the principal that made it; empty if it is unknown.
  const std::string &owner() const noexcept { return owner_; }
  SessionShare &share() const noexcept { return *share_; }
  // Returns the memory limits of the session. Its record is not larger than an engine accepts.
  SessionRoom room() const noexcept { return {budget(), 448U << 10U}; }
  SessionCopy &copy() const noexcept { return *copy_; }
  // Returns SessionCopy::copyName, with which the ids of its events begin.
  std::string_view copyName() const noexcept { return copy_->copyName; }
  // Returns true if its id is too old, so that it is refused.
  bool hasExpired() const noexcept { return secondsNow() >= copy_->endsAt; }
  ClientSession &client() const noexcept { return *client_; }
  // Returns the stream of messages that belong to no request. A GET request reads it.
  const std::shared_ptr<EventStream> &standaloneStream() const noexcept {
    return standaloneStream_;
  }
  // Creates the stream of one request for `audience`. A finished stream is kept until there are too
  // many newer ones, or too many bytes in all.
  std::shared_ptr<EventStream> newStream(StreamAudience audience);
  // Returns null if there is no stream of that number any more.
  std::shared_ptr<EventStream> stream(std::uint64_t number) const;

  void touch() noexcept { lastUsed_.store(Clock::now(), std::memory_order_relaxed); }
  Clock::time_point lastUsed() const noexcept { return lastUsed_.load(std::memory_order_relaxed); }
  // Cancels the running requests and ends every stream.
  void end();

private:
  HttpSession(std::string owner, std::size_t maxEvents, StreamAudience audience,
              std::shared_ptr<SessionShare> share, std::unique_ptr<SessionCopy> copy)
      : owner_(std::move(owner)), maxEvents_(maxEvents), share_(std::move(share)),
        copy_(std::move(copy)),
        standaloneStream_(newStreamOf(standaloneNumber, std::move(audience))) {}

  std::shared_ptr<SessionBudget> budget() const noexcept { return {share_, &share_->budget}; }
  std::shared_ptr<EventStream> newStreamOf(std::uint64_t number, StreamAudience audience) const {
    return std::make_shared<EventStream>(number, maxEvents_, std::move(audience), budget(),
                                         copy_->copyName);
  }

  static constexpr std::size_t maxStreams = 64, maxBytes = 2U << 20U;
  std::string id_;
  const std::string owner_;
  const std::size_t maxEvents_;
  const std::shared_ptr<SessionShare> share_;
  const std::unique_ptr<SessionCopy> copy_;
  const std::shared_ptr<EventStream> standaloneStream_;
  std::shared_ptr<ClientSession> client_;
  std::atomic<Clock::time_point> lastUsed_{Clock::now()};
  mutable std::mutex mutex_;
  std::deque<std::pair<std::uint64_t, std::shared_ptr<EventStream>>> streams_;
  std::uint64_t lastStreamNumber_ = 0;
};

} // namespace skillhost
