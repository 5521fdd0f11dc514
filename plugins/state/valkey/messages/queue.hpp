// SPDX-License-Identifier: Apache-2.0
// Holds received messages until the host takes them. Beyond the limits it drops the oldest messages
// and reports the loss.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace skillhost::valkey {

struct Message {
  std::string channel, payload;
  bool followsLoss = false; // messages before this one may have been lost
};

// Any thread may use it.
class MessageQueue {
public:
  static constexpr std::size_t maxMessages = 4'096, maxBytes = std::size_t{16} << 20U;

  // Returns false if older messages were dropped for it.
  bool add(Message message);
  // Messages may have been lost until now. The next message says so, or an empty one if none is
  // waiting.
  void markLoss();
  // Waits for a message for at most `wait`. Returns nothing if none arrived.
  std::optional<Message> take(std::chrono::milliseconds wait);
  // Puts a message that could not be delivered back to the front.
  void giveBack(Message message);

private:
  static std::size_t sizeOf(const Message &message) noexcept {
    return message.channel.size() + message.payload.size();
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Message> messages_;
  std::size_t bytes_ = 0;
  bool hasLoss_ = false; // the next message must report a loss
};

} // namespace skillhost::valkey
