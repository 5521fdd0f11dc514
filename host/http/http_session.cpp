// SPDX-License-Identifier: Apache-2.0
#include "http_session.hpp"

#include <algorithm>
#include <limits>

namespace skillhost {

std::shared_ptr<EventStream> HttpSession::newStream(Audience audience) {
  std::vector<std::uint64_t> dropped;
  std::unique_lock lock(mutex_);
  ++next_;
  std::size_t bytes = 0;
  for (const auto &[number, stream] : streams_) bytes += stream->bytes();
  while (!streams_.empty() && (streams_.size() >= mostStreams || bytes > mostBytes)) {
    bytes -= streams_.front().second->bytes();
    dropped.push_back(streams_.front().first);
    streams_.pop_front();
    firstKept_ = std::max(firstKept_, dropped.back() + 1);
  }
  const auto stream = newStreamOf(next_, std::move(audience));
  if (unheard_)
    stream->whenUnheard([unheard = unheard_, number = next_, weak = std::weak_ptr(stream)] {
      if (const auto own = weak.lock()) unheard(number, own);
    });
  streams_.emplace_back(next_, stream);
  lock.unlock();
  if (dropped_ && !dropped.empty()) dropped_(dropped);
  return stream;
}

bool HttpSession::keepsStream(std::uint64_t number) const {
  const std::scoped_lock lock(mutex_);
  return number >= firstKept_;
}

void HttpSession::letStreamsGo() {
  const std::scoped_lock lock(mutex_);
  firstKept_ = std::numeric_limits<std::uint64_t>::max();
}

std::shared_ptr<EventStream> HttpSession::stream(std::uint64_t number) const {
  if (number == 0) return standing_;
  const std::scoped_lock lock(mutex_);
  for (const auto &[own, stream] : streams_)
    if (own == number) return stream;
  return nullptr;
}

void HttpSession::end() {
  client_->close();
  standing_->finish();
  std::deque<std::pair<std::uint64_t, std::shared_ptr<EventStream>>> streams;
  {
    const std::scoped_lock lock(mutex_);
    streams.swap(streams_);
  }
  for (const auto &[number, stream] : streams) stream->finish();
}

} // namespace skillhost
