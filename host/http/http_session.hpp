// SPDX-License-Identifier: Apache-2.0
// A session of the legacy family over HTTP: what a client agreed on in its handshake, and the
// streams it can come back to.
#pragma once

#include "event_stream.hpp"
#include "ground/time_reading.hpp"
#include "mcp/client_session.hpp"
#include "session_copy.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace skillhost {

class HttpSession;

// What the sessions of one principal have together, or those of one address that nobody is known
// at.
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
  static constexpr std::uint64_t standingNumber = 0; // of the stream that belongs to no request

  using Clock = std::chrono::steady_clock;

  // The bytes kept for its streams count in `share`.
  HttpSession(std::string owner, std::size_t kept, StreamAudience audience,
              std::shared_ptr<SessionShare> share, std::unique_ptr<SessionCopy> copy)
      : owner_(std::move(owner)), kept_(kept), share_(std::move(share)), copy_(std::move(copy)),
        standing_(newStreamOf(standingNumber, std::move(audience))) {}

  // Whose messages flow here; once, before anything else.
  void serve(std::shared_ptr<ClientSession> client) { client_ = std::move(client); }
  // Sets the id that its client sends. Call it once, before the session is in a table.
  void identify(std::string id) { id_ = std::move(id); }

  const std::string &id() const noexcept { return id_; }
  const std::string &owner() const noexcept { return owner_; } // who made it; empty: nobody known
  SessionShare &share() const noexcept { return *share_; }
  // The room of all that it keeps. Its record is no larger than an engine takes.
  SessionRoom room() const noexcept { return {budget(), 448U << 10U}; }
  SessionCopy &copy() const noexcept { return *copy_; }
  std::string_view place() const noexcept { return copy_->place; } // first in ids of its events
  bool isOver() const noexcept { return secondsNow() >= copy_->endsAt; } // its id is too old
  ClientSession &client() const noexcept { return *client_; }
  // What belongs to no request; a GET reads it.
  const std::shared_ptr<EventStream> &standing() const noexcept { return standing_; }
  // The stream of one request; kept after its end while there are not many newer ones, nor much in
  // them. `audience`: who asks.
  std::shared_ptr<EventStream> newStream(StreamAudience audience);
  // Null when there is none of that number any more.
  std::shared_ptr<EventStream> stream(std::uint64_t number) const;

  void touch() noexcept { used_.store(Clock::now(), std::memory_order_relaxed); }
  Clock::time_point used() const noexcept { return used_.load(std::memory_order_relaxed); }
  // Gives up what runs and ends every stream.
  void end();

private:
  std::shared_ptr<SessionBudget> budget() const noexcept { return {share_, &share_->budget}; }
  std::shared_ptr<EventStream> newStreamOf(std::uint64_t number, StreamAudience audience) const {
    return std::make_shared<EventStream>(number, kept_, std::move(audience), budget(),
                                         copy_->place);
  }

  static constexpr std::size_t mostStreams = 64, mostBytes = 2U << 20U;
  std::string id_;
  const std::string owner_;
  const std::size_t kept_;
  const std::shared_ptr<SessionShare> share_;
  const std::unique_ptr<SessionCopy> copy_;
  const std::shared_ptr<EventStream> standing_;
  std::shared_ptr<ClientSession> client_;
  std::atomic<Clock::time_point> used_{Clock::now()};
  mutable std::mutex mutex_;
  std::deque<std::pair<std::uint64_t, std::shared_ptr<EventStream>>> streams_;
  std::uint64_t next_ = 0;
};

} // namespace skillhost
