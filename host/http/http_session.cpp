// SPDX-License-Identifier: Apache-2.0
#include "http_session.hpp"

namespace skillhost {

std::shared_ptr<EventStream> HttpSession::newStream(StreamAudience audience) {
  std::deque<std::shared_ptr<EventStream>> dropped; // are destroyed without the lock
  const std::scoped_lock lock(mutex_);
  ++lastStreamNumber_;
  std::size_t bytes = 0;
  for (const auto &[number, stream] : streams_) bytes += stream->bytes();
  while (!streams_.empty() && (streams_.size() >= maxStreams || bytes > maxBytes)) {
    bytes -= streams_.front().second->bytes();
    dropped.push_back(std::move(streams_.front().second));
    streams_.pop_front();
  }
  const auto stream = newStreamOf(lastStreamNumber_, std::move(audience));
  streams_.emplace_back(lastStreamNumber_, stream);
  return stream;
}

std::shared_ptr<EventStream> HttpSession::stream(std::uint64_t number) const {
  if (number == standaloneNumber) return standaloneStream_;
  const std::scoped_lock lock(mutex_);
  for (const auto &[own, stream] : streams_)
    if (own == number) return stream;
  return nullptr;
}

void HttpSession::end() {
  client_->close();
  standaloneStream_->finish();
  std::deque<std::pair<std::uint64_t, std::shared_ptr<EventStream>>> streams;
  {
    const std::scoped_lock lock(mutex_);
    streams.swap(streams_);
  }
  for (const auto &[number, stream] : streams) stream->finish();
}

} // namespace skillhost
