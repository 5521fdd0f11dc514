// SPDX-License-Identifier: Apache-2.0
#include "process/session.hpp"

namespace skillhost::process {

Session::Session(std::uint64_t number, ChildProcess child, std::vector<FrameSocket> channels)
    : number_(number), child_(std::move(child)), channels_(std::move(channels)) {
  for (FrameSocket &channel : channels_) free_.push_back(&channel);
}

FrameSocket *Session::borrow(Moment until) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, until, [this] { return hasEnded_ || !free_.empty(); });
  if (hasEnded_ || free_.empty()) return nullptr;
  FrameSocket *channel = free_.back();
  free_.pop_back();
  return channel;
}

void Session::giveBack(FrameSocket *channel) {
  {
    const std::scoped_lock lock(mutex_);
    free_.push_back(channel);
  }
  changed_.notify_one();
}

void Session::kill(const std::string &why) {
  {
    const std::scoped_lock lock(mutex_);
    if (reason_.empty()) reason_ = why;
  }
  child_.kill();
  end();
}

void Session::end() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    hasEnded_ = true;
    for (FrameSocket &channel : channels_) channel.shut();
  }
  changed_.notify_all();
}

std::string Session::reason() const {
  const std::scoped_lock lock(mutex_);
  return reason_;
}

} // namespace skillhost::process
