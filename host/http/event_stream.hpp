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
  // `number` identifies the stream within its session. The stream keeps the last `kept` events, at
  // most 1 MiB of them, and no more than `budget` has left (null: no budget). A larger event is
  // sent and not kept. `place` names the copy of the session if there are several; empty: there is
  // one.
  EventStream(std::uint64_t number, std::size_t kept, StreamAudience audience = {},
              std::shared_ptr<SessionBudget> budget = nullptr, std::string place = {})
      : place_(std::move(place)), number_(number), kept_(kept), budget_(std::move(budget)),
        audience_(std::move(audience)) {}
  ~EventStream();
  EventStream(const EventStream &) = delete;
  EventStream &operator=(const EventStream &) = delete;

  // Sends to `exchange` from now on, beginning with the kept events after event `after`, or without
  // `after`, with those that were sent to nobody yet. Ends the response that the stream used
  // before. `primed`: sends an event with an id and without data first, so that the client can
  // resume early. If `who` may not receive the kept events, it returns false and does nothing if
  // `after` is given; without `after` it drops those events, and the stream is for `who` from then
  // on.
  bool attach(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &further,
              std::optional<std::uint64_t> after, bool primed, const StreamAudience &who = {});
  // Returns true if `who` may receive the kept events.
  bool mayReceiveKept(const StreamAudience &who) const;
  // Holds `kept` as long as the stream sends to that exchange.
  void keep(const std::shared_ptr<HttpExchange> &exchange, std::shared_ptr<void> kept);
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
  Listener leave(const std::shared_ptr<HttpExchange> &exchange);
  std::string id(std::uint64_t sequence) const;
  void add(const Fragments &message);       // to the kept events; the caller holds the lock
  void forget(std::size_t events) noexcept; // drops the oldest; the caller holds the lock

  static constexpr std::size_t maxBytes = 1U << 20U;
  const std::string place_;
  const std::uint64_t number_;
  const std::size_t kept_;
  const std::shared_ptr<SessionBudget> budget_;
  mutable std::mutex mutex_;
  Listener listener_; // its exchange is null if no client listens
  StreamAudience audience_;
  std::deque<Event> events_;
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0, sent_ = 0; // numbers of events
  bool finished_ = false;
};

// The id of an event: the stream and the number of the event in it.
struct EventId {
  std::string_view place{}; // which copy of the session; empty if there is only one
  std::uint64_t stream = 0, sequence = 0;
};
// Returns nothing if `text` is no event id. The `place` of the result points into `text`.
std::optional<EventId> readEventId(std::string_view text);

} // namespace skillhost
