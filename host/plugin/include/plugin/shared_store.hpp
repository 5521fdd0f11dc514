// SPDX-License-Identifier: Apache-2.0
// The store that the replicas of one service share. The parts of the server use it through this
// interface; a feature implements it. A part that is given null is alone: it keeps its own, and
// nothing costs anything.
#pragma once

#include "ground/blake3.hpp"
#include "plugin/state.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct Readiness;

// Any thread. Answers come on another thread, or on the caller's own when the call is refused at
// once; they must not block.
class SharedStore {
public:
  using Span = StateBackend::Span;

  SharedStore() = default;
  virtual ~SharedStore() = default;
  SharedStore(const SharedStore &) = delete;
  SharedStore &operator=(const SharedStore &) = delete;

  // Asks whether the store can do all that is needed, and waits for at most `span`. The failure is
  // for the operator. Throws std::runtime_error if the configuration of the store is wrong.
  virtual Status check(std::chrono::milliseconds span) = 0;
  // Takes no more calls, and waits for what runs. Not on a thread that answers.
  virtual void stop() = 0;

  // Names this process among the replicas; another one after each start. 16 hexadecimal digits.
  virtual const std::string &replica() const noexcept = 0;
  // Returns 64 hexadecimal digits, the same in all replicas, that tell nothing of what they are
  // made of. `kind` keeps the uses apart.
  virtual std::string keyed(std::string_view kind,
                            std::initializer_list<std::string_view> parts) const = 0;
  // Returns a key that all replicas have, for codes and digests that stay out of the store. `use`
  // keeps the uses apart.
  virtual Blake3Key keyFor(std::string_view use) const = 0;

  // Keys are as callers name them, "session/…". Nobody but a replica can read or make a value.
  virtual void get(std::string_view key, Span expiry,
                   Answer<std::optional<std::string>> answer) = 0;
  virtual void put(std::string_view key, std::string_view value, Span expiry,
                   Answer<Done> answer) = 0;
  virtual void compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                             std::string_view value, Span expiry, Answer<bool> answer) = 0;
  virtual void erase(std::string_view key, std::optional<std::string_view> expected,
                     Answer<StateErased> answer) = 0;
  // Others can read the sum.
  virtual void add(std::string_view key, std::int64_t delta, Span expiry,
                   Answer<std::int64_t> answer) = 0;

  // Tells the other replicas, as far as they can be reached: a replica that has missed a message
  // repairs it, see listen().
  virtual void publish(std::string_view channel, std::string_view message) = 0;
  // Calls the listener with what the others publish on the channel, never with what this replica
  // did. `lost`: some may have been missed, on any channel. Calls come one after another, and must
  // not block. Channels are few; call it once for each.
  struct Listener {
    std::function<void(std::string_view message)> heard;
    std::function<void()> lost;
  };
  virtual void listen(std::string_view channel, Listener listener) = 0;

  // True if the store answered last. A store that is away is asked until it is back. `listener` is
  // told of a change, on the thread that found it. It is told "true" once more if the store answers
  // and has lost what it held.
  virtual bool reachable() const noexcept = 0;
  virtual void onReachable(std::function<void(bool)> listener) = 0;
  // Degraded while the store cannot be reached.
  virtual Readiness readiness() const = 0;
};

} // namespace skillhost
