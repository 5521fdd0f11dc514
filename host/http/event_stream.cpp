// SPDX-License-Identifier: Apache-2.0
#include "event_stream.hpp"

#include <charconv>
#include <new>
#include <utility>

namespace skillhost {

EventStream::~EventStream() { drop(events_.size()); }

void EventStream::drop(std::size_t events) noexcept {
  for (; events > 0; --events) {
    const std::size_t size = events_.front().data.size();
    bytes_ -= size;
    if (budget_) budget_->giveBack(size);
    events_.pop_front();
  }
}

std::string EventStream::id(std::uint64_t sequence) const {
  std::string id = copyName_;
  if (!id.empty()) id += '-';
  return id.append(std::to_string(number_)).append("-").append(std::to_string(sequence));
}

bool EventStream::attach(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &further,
                         std::optional<std::uint64_t> after, bool withPrimingEvent,
                         const StreamAudience &who) {
  Listener former;
  {
    const std::scoped_lock lock(mutex_);
    if (!who.mayReceive(audience_)) {
      if (after) return false;
      drop(events_.size());
      sentSequence_ = lastSequence_;
      audience_ = who;
    }
    former = std::exchange(listener_, {exchange, nullptr});
    exchange->openStream(further);
    const std::uint64_t from = after.value_or(sentSequence_);
    if (withPrimingEvent) exchange->event(id(from), {});
    for (const Event &event : events_)
      if (event.sequence > from) exchange->event(id(event.sequence), event.data);
    sentSequence_ = lastSequence_;
    if (isFinished_) std::exchange(listener_, {}).exchange->closeStream();
  }
  if (former.exchange) former.exchange->closeStream();
  exchange->whenGone([weak = weak_from_this(), gone = std::weak_ptr(exchange)] {
    const auto self = weak.lock();
    if (self) self->takeListener(gone.lock());
  });
  return true;
}

bool EventStream::mayReceiveKept(const StreamAudience &who) const {
  const std::scoped_lock lock(mutex_);
  return who.mayReceive(audience_);
}

EventStream::Listener EventStream::takeListener(const std::shared_ptr<HttpExchange> &exchange) {
  const std::scoped_lock lock(mutex_);
  return listener_.exchange == exchange ? std::exchange(listener_, {}) : Listener{};
}

void EventStream::hold(const std::shared_ptr<HttpExchange> &exchange, std::shared_ptr<void> kept) {
  const std::scoped_lock lock(mutex_);
  if (listener_.exchange == exchange) listener_.kept.swap(kept);
}

void EventStream::detach(const std::shared_ptr<HttpExchange> &exchange) {
  if (const Listener left = takeListener(exchange); left.exchange) left.exchange->closeStream();
}

void EventStream::release() {
  const Listener left = [this] {
    const std::scoped_lock lock(mutex_);
    return std::exchange(listener_, {});
  }();
  if (left.exchange) left.exchange->closeStream();
}

void EventStream::send(const Fragments &message) {
  const std::scoped_lock lock(mutex_);
  if (isFinished_) return;
  ++lastSequence_;
  if (listener_.exchange) {
    listener_.exchange->event(id(lastSequence_), message);
    sentSequence_ = lastSequence_;
  }
  keepEvent(message);
}

void EventStream::keepEvent(const Fragments &message) {
  const std::size_t size = message.size();
  while (!events_.empty() && (events_.size() >= maxEvents_ || bytes_ + size > maxBytes)) drop(1);
  // A client that resumes continues after its last event, or learns that this event is gone. Events
  // after a dropped one are useless without it, so the oldest ones are dropped first.
  while (budget_ && size <= maxBytes && !budget_->take(size)) {
    if (events_.empty()) return;
    drop(1);
  }
  if (maxEvents_ == 0 || size > maxBytes) {
    if (budget_ && size <= maxBytes) budget_->giveBack(size);
    return;
  }
  try {
    events_.push_back({lastSequence_, message});
  } catch (const std::bad_alloc &) {
    if (budget_) budget_->giveBack(size);
    return drop(events_.size());
  }
  bytes_ += size;
}

void EventStream::finish() {
  Listener last; // is destroyed without the lock
  const std::scoped_lock lock(mutex_);
  isFinished_ = true;
  last = std::exchange(listener_, {});
  if (last.exchange) last.exchange->closeStream();
}

std::size_t EventStream::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

bool EventStream::isAttached() const {
  const std::scoped_lock lock(mutex_);
  return listener_.exchange != nullptr;
}

std::optional<EventId> readEventId(std::string_view text) {
  EventId id;
  // A copyName contains no hyphen.
  if (const std::size_t hyphen = text.find('-'); text.find('-', hyphen + 1) != text.npos) {
    if (hyphen == 0) return std::nullopt;
    id.copyName = text.substr(0, hyphen);
    text.remove_prefix(hyphen + 1);
  }
  const char *const begin = text.data(); // NOLINT(bugprone-suspicious-stringview-data-usage)
  const char *const end = begin + text.size();
  const auto first = std::from_chars(begin, end, id.stream);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, id.sequence);
  if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
  return id;
}

} // namespace skillhost
