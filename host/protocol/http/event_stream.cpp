// SPDX-License-Identifier: Apache-2.0
#include "event_stream.hpp"

#include <charconv>
#include <utility>

namespace skillhost {

std::string EventStream::id(std::uint64_t sequence) const {
  return std::to_string(number_) + '-' + std::to_string(sequence);
}

void EventStream::attach(const std::shared_ptr<HttpExchange> &exchange, const HttpFields &further,
                         std::optional<std::uint64_t> after, bool primed) {
  std::shared_ptr<HttpExchange> former;
  {
    const std::scoped_lock lock(mutex_);
    former = std::exchange(exchange_, exchange);
    exchange->openStream(further);
    const std::uint64_t from = after.value_or(sent_);
    if (primed) exchange->event(id(from), {});
    for (const Event &event : events_)
      if (event.sequence > from) exchange->event(id(event.sequence), event.data);
    sent_ = last_;
    if (finished_) std::exchange(exchange_, nullptr)->closeStream();
  }
  if (former) former->closeStream();
  exchange->whenGone([weak = weak_from_this(), gone = std::weak_ptr(exchange)] {
    const auto self = weak.lock();
    if (!self) return;
    const std::scoped_lock lock(self->mutex_);
    if (self->exchange_ == gone.lock()) self->exchange_ = nullptr;
  });
}

void EventStream::send(const Fragments &message) {
  const std::scoped_lock lock(mutex_);
  if (finished_) return;
  events_.push_back({++last_, message});
  bytes_ += message.size();
  if (exchange_) {
    exchange_->event(id(last_), message);
    sent_ = last_;
  }
  while (!events_.empty() && (events_.size() > kept_ || bytes_ > mostBytes)) {
    bytes_ -= events_.front().data.size();
    events_.pop_front();
  }
}

void EventStream::finish() {
  const std::scoped_lock lock(mutex_);
  finished_ = true;
  if (exchange_) std::exchange(exchange_, nullptr)->closeStream();
}

std::size_t EventStream::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

bool EventStream::attached() const {
  const std::scoped_lock lock(mutex_);
  return exchange_ != nullptr;
}

std::optional<EventId> readEventId(std::string_view text) {
  EventId id;
  const char *const begin = text.data(); // NOLINT(bugprone-suspicious-stringview-data-usage)
  const char *const end = begin + text.size();
  const auto first = std::from_chars(begin, end, id.stream);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, id.sequence);
  if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
  return id;
}

} // namespace skillhost
