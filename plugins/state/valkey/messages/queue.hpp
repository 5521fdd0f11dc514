// SPDX-License-Identifier: Apache-2.0
// What the subscriptions have brought, until the host takes it. Beyond the bounds the oldest go,
// and that is said.
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
  bool isLost = false; // messages may have been lost before this one
};

// Any thread.
class MessageQueue {
public:
  static constexpr std::size_t mostMessages = 4'096, mostBytes = std::size_t{16} << 20U;

  // False: older ones had to go for it.
  bool add(Message message);
  // Some may have been lost until now: the next one says so, or an empty one where none waits.
  void lost();
  // Waits for one at most that long. Nothing: none has come.
  std::optional<Message> take(std::chrono::milliseconds wait);
  // One that could not be handed over is the next one again.
  void giveBack(Message message);

private:
  static std::size_t sizeOf(const Message &message) noexcept {
    return message.channel.size() + message.payload.size();
  }

  std::mutex mutex_;
  std::condition_variable come_;
  std::deque<Message> messages_;
  std::size_t bytes_ = 0;
  bool isLost_ = false; // to be said with the next one
};

} // namespace skillhost::valkey
