// SPDX-License-Identifier: Apache-2.0
#include "queue.hpp"

namespace skillhost::valkey {

bool MessageQueue::add(Message message) {
  const std::scoped_lock lock(mutex_);
  bytes_ += sizeOf(message);
  messages_.push_back(std::move(message));
  const bool isFull = messages_.size() > maxMessages || bytes_ > maxBytes;
  while (messages_.size() > maxMessages || bytes_ > maxBytes) {
    bytes_ -= sizeOf(messages_.front());
    messages_.pop_front();
    hasLoss_ = true;
  }
  arrived_.notify_one();
  return !isFull;
}

void MessageQueue::markLoss() {
  const std::scoped_lock lock(mutex_);
  hasLoss_ = true;
  arrived_.notify_one();
}

std::optional<Message> MessageQueue::take(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait_for(lock, wait, [this] { return hasLoss_ || !messages_.empty(); }))
    return std::nullopt;
  Message next;
  if (!messages_.empty()) {
    next = std::move(messages_.front());
    messages_.pop_front();
    bytes_ -= sizeOf(next);
  }
  next.followsLoss = next.followsLoss || hasLoss_;
  hasLoss_ = false;
  return next;
}

void MessageQueue::giveBack(Message message) {
  const std::scoped_lock lock(mutex_);
  if (message.channel.empty()) {
    hasLoss_ = true;
    return;
  }
  bytes_ += sizeOf(message);
  messages_.push_front(std::move(message));
  arrived_.notify_one();
}

} // namespace skillhost::valkey
