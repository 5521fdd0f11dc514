// SPDX-License-Identifier: Apache-2.0
#include "queue.hpp"

namespace skillhost::valkey {

bool MessageQueue::add(Message message) {
  const std::scoped_lock lock(mutex_);
  bytes_ += sizeOf(message);
  messages_.push_back(std::move(message));
  const bool isFull = messages_.size() > mostMessages || bytes_ > mostBytes;
  while (messages_.size() > mostMessages || bytes_ > mostBytes) {
    bytes_ -= sizeOf(messages_.front());
    messages_.pop_front();
    isLost_ = true;
  }
  come_.notify_one();
  return !isFull;
}

void MessageQueue::lost() {
  const std::scoped_lock lock(mutex_);
  isLost_ = true;
  come_.notify_one();
}

std::optional<Message> MessageQueue::take(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  if (!come_.wait_for(lock, wait, [this] { return isLost_ || !messages_.empty(); }))
    return std::nullopt;
  Message next;
  if (!messages_.empty()) {
    next = std::move(messages_.front());
    messages_.pop_front();
    bytes_ -= sizeOf(next);
  }
  next.isLost = next.isLost || isLost_;
  isLost_ = false;
  return next;
}

void MessageQueue::giveBack(Message message) {
  const std::scoped_lock lock(mutex_);
  if (message.channel.empty()) {
    isLost_ = true;
    return;
  }
  bytes_ += sizeOf(message);
  messages_.push_front(std::move(message));
  come_.notify_one();
}

} // namespace skillhost::valkey
