// SPDX-License-Identifier: Apache-2.0
#include "base/body_stream.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace skillhost {
namespace {

constexpr std::chrono::milliseconds readingSlice{20}; // interval between checks of isCancelled()

} // namespace

std::size_t BodyStream::add(std::string_view bytes) {
  std::size_t kept = 0;
  {
    const std::scoped_lock lock(mutex_);
    bytes_ += bytes;
    kept = bytes_.size();
  }
  changed_.notify_all();
  return kept;
}

void BodyStream::finish() { end(State::Finished); }
void BodyStream::abort() { end(State::Aborted); }

void BodyStream::end(State state) {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ == State::Open) state_ = state;
  }
  changed_.notify_all();
}

Result<std::size_t> BodyStream::read(void *buffer, std::size_t room, const Deadline &deadline,
                                     const std::function<bool()> &isCancelled) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (state_ == State::Aborted) return {Fault::Cancelled, "the rest of the body does not arrive"};
    if (begin_ < bytes_.size() || state_ == State::Finished || room == 0) break;
    lock.unlock();
    if (isCancelled && isCancelled()) return {Fault::Cancelled, "cancelled"};
    if (deadline.passed()) return {Fault::ToolTimeout, "the body does not arrive in time"};
    lock.lock();
    changed_.wait_until(lock, std::min(deadline.at(), Deadline::Clock::now() + readingSlice),
                        [this] { return begin_ < bytes_.size() || state_ != State::Open; });
  }
  const std::size_t size = std::min(room, bytes_.size() - begin_);
  if (size != 0) std::memcpy(buffer, bytes_.data() + begin_, size);
  begin_ += size;
  if (begin_ == bytes_.size()) {
    bytes_.clear();
    begin_ = 0;
  }
  return size;
}

} // namespace skillhost
