// SPDX-License-Identifier: Apache-2.0
#include "http_session.hpp"

namespace skillhost {

std::shared_ptr<EventStream> HttpSession::newStream() {
  const std::scoped_lock lock(mutex_);
  ++next_;
  if (streams_.size() >= mostStreams) streams_.pop_front();
  return streams_.emplace_back(next_, std::make_shared<EventStream>(next_, kept_)).second;
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
  const std::scoped_lock lock(mutex_);
  for (const auto &[number, stream] : streams_) stream->finish();
}

} // namespace skillhost
