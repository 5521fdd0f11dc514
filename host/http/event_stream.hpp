// SPDX-License-Identifier: Apache-2.0
// A stream of messages to a client of the legacy family. The client may lose its connection,
// connect again and receive what it has missed (Last-Event-ID).
#pragma once

#include "base/http.hpp"
#include "mcp/session_budget.hpp"
#include "stream_audience.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {

// Any thread.
class EventStream : public std::enable_shared_from_this<EventStream> {
public:
  // `number` identifies the stream within its session. The stream keeps the last `maxEvents`
  // events, at most 1 MiB of them, and no more than `budget` has left (null: no budget). A larger
  // event is sent and not kept. `copyName` is SessionCopy::copyName, or empty if the session has no
  // copies at other replicas.
  EventStream(std::uint64_t number, std::size_t maxEvents, StreamAudience audience = {},
              std::shared_ptr<SessionBudget> budget = nullptr, std::string copyName = {})
      : copyName_(std::move(copyName)), number_(number), maxEvents_(maxEvents),
        budget_(std::move(budget)), audience_(std::move(audience)) {}
  ~EventStream();
  EventStream(const EventStream &) = delete;
  EventStream &operator=(const EventStream &) = delete;

  // Sends to `exchange` from now on. With `after` it begins with the kept events after that event,
  // otherwise with the kept events that were sent to no client yet. Ends the response that the
  // stream used before. `priming`: first sends an event with an id and without data, so
  // that the client can resume even if the connection breaks before a message. If `who` may
  // not receive the kept events, attach() with `after` does nothing and returns false; without
  // `after` it drops those events, and the stream belongs to `who` from then on.
  bool attach(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &further,
              std::optional<std::uint64_t> after, bool priming, const StreamAudience &who = {});
  // Returns true if `who` may receive the kept events.
  bool mayReceiveKept(const StreamAudience &who) const;
  // Holds `kept`, such as a watch of the credential, until the stream no longer sends to
  // `exchange`.
  void hold(const std::shared_ptr<HttpExchange> &exchange, std::shared_ptr<void> kept);
  // Ends the response if the stream still sends to `exchange`. The client may connect again.
  void detach(const std::shared_ptr<HttpExchange> &exchange);
  // Ends the current response, whichever it is, because the client listens at another replica.
  void release();
  void send(const Fragments &message);
  // Ends the response; no further messages are sent.
  void finish();
  bool isAttached() const;
  std::size_t bytes() const; // of the kept events

private:
  struct Event {
    std::uint64_t sequence;
    Fragments data;
  };
  // The connected client. `kept` is destroyed without the lock, because its destructor may wait for
  // other threads.
  struct Listener {
    std::shared_ptr<HttpExchange> exchange;
    std::shared_ptr<void> kept;
  };
  // Removes and returns the listener if it has that exchange.
  Listener takeListener(const std::shared_ptr<HttpExchange> &exchange);
  std::string id(std::uint64_t sequence) const;
  void keepEvent(const Fragments &message); // to the kept events; the caller holds the lock
  void drop(std::size_t events) noexcept;   // drops the oldest; the caller holds the lock

  static constexpr std::size_t maxBytes = 1U << 20U;
  const std::string copyName_;
  const std::uint64_t number_;
  const std::size_t maxEvents_;
  const std::shared_ptr<SessionBudget> budget_;
  mutable std::mutex mutex_;
  Listener listener_; // its exchange is null if no client listens
  StreamAudience audience_;
  std::deque<Event> events_;
  std::size_t bytes_ = 0;
  // The numbers of the newest event, and of the newest event that was sent to a client.
  std::uint64_t lastSequence_ = 0, sentSequence_ = 0;
  bool isFinished_ = false;
};

// The id of an event: the stream and the number of the event in it.
struct EventId {
  std::string_view copyName{}; // SessionCopy::copyName; empty if the id has none
  std::uint64_t stream = 0, sequence = 0;
};
// Returns nothing if `text` is no event id. The `copyName` of the result points into `text`.
std::optional<EventId> readEventId(std::string_view text);

} // namespace skillhost
