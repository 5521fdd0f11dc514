// SPDX-License-Identifier: Apache-2.0
// A stream of messages to a client of the legacy family that may lose its connection and come back
// for what it has missed (Last-Event-ID).
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
  // Numbered within its session; keeps the last `kept` events, and of them at most 1 MiB and what
  // is left of `budget` (null: none counts): one that is larger is sent and not kept. `place`:
  // which of several copies of the session it is of; empty: there is one.
  EventStream(std::uint64_t number, std::size_t kept, StreamAudience audience = {},
              std::shared_ptr<SessionBudget> budget = nullptr, std::string place = {})
      : place_(std::move(place)), number_(number), kept_(kept), budget_(std::move(budget)),
        audience_(std::move(audience)) {}
  ~EventStream();
  EventStream(const EventStream &) = delete;
  EventStream &operator=(const EventStream &) = delete;

  // Leads to `exchange` from now on, first what came after event `after`; without one, what nobody
  // was sent yet. Ends the response it led to before. `primed`: begins with an event that only
  // tells an id to come back with. False, and nothing done: `who` may not hear what is kept.
  // Without `after` that is forgotten instead, and what follows is for `who`.
  bool attach(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &further,
              std::optional<std::uint64_t> after, bool primed, const StreamAudience &who = {});
  // Whether `who` may hear what is kept.
  bool keptFor(const StreamAudience &who) const;
  // What has to live as long as the stream leads to that exchange.
  void keep(const std::shared_ptr<HttpExchange> &exchange, std::shared_ptr<void> kept);
  // Ends the response, if it still leads there; the client may come back.
  void detach(const std::shared_ptr<HttpExchange> &exchange);
  // Ends the response it leads to, whichever that is: the client is read elsewhere.
  void release();
  void send(const Fragments &message);
  // Nothing more follows: ends the response.
  void finish();
  bool attached() const;
  std::size_t bytes() const; // kept

private:
  struct Event {
    std::uint64_t sequence;
    Fragments data;
  };
  // Who listens. What is kept for it goes where no lock is held: its end may wait for others.
  struct Listener {
    std::shared_ptr<HttpExchange> exchange;
    std::shared_ptr<void> kept;
  };
  // Takes the listener away, when that is the one.
  Listener leave(const std::shared_ptr<HttpExchange> &exchange);
  std::string id(std::uint64_t sequence) const;
  void add(const Fragments &message);       // to what is kept; under the lock
  void forget(std::size_t events) noexcept; // the oldest; under the lock

  static constexpr std::size_t mostBytes = 1U << 20U;
  const std::string place_;
  const std::uint64_t number_;
  const std::size_t kept_;
  const std::shared_ptr<SessionBudget> budget_;
  mutable std::mutex mutex_;
  Listener listener_; // its exchange is null: nobody listens
  StreamAudience audience_;
  std::deque<Event> events_;
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0, sent_ = 0; // numbers of events
  bool finished_ = false;
};

// An event id: which stream, which event of it.
struct EventId {
  std::string_view place{}; // which copy of the session; empty: the only one
  std::uint64_t stream = 0, sequence = 0;
};
// Its place is a part of `text`.
std::optional<EventId> readEventId(std::string_view text);

} // namespace skillhost
