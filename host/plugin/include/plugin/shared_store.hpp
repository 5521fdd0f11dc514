// SPDX-License-Identifier: Apache-2.0
// The store that the replicas of one service share. The parts of the server use it through this
// interface, and a feature implements it. A part that receives null instead serves a single
// replica: it keeps its own data, at no cost.
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

// Functions may be called on any thread. Answers come on another thread, or on the caller's own if
// the call is refused at once. They must not block.
class SharedStore {
public:
  using Span = StateBackend::Span;

  SharedStore() = default;
  virtual ~SharedStore() = default;
  SharedStore(const SharedStore &) = delete;
  SharedStore &operator=(const SharedStore &) = delete;

  // Checks whether the store can do everything that is needed, and waits for at most `span`. The
  // failure is for the operator. Throws std::runtime_error if the configuration of the store is
  // wrong.
  virtual Status check(std::chrono::milliseconds span) = 0;
  // Refuses further calls, and waits for those that run. Must not be called on a thread that
  // answers.
  virtual void stop() = 0;

  // Returns the name of this process among the replicas, 16 hexadecimal digits. It differs after
  // each start.
  virtual const std::string &replica() const noexcept = 0;
  // Returns 64 hexadecimal digits that are the same in all replicas and reveal nothing about
  // `parts`. Different kinds give different digits.
  virtual std::string keyedDigest(std::string_view kind,
                                  std::initializer_list<std::string_view> parts) const = 0;
  // Returns a key that all replicas have, for codes and digests that stay out of the store. Each
  // `use` has a different key.
  virtual Blake3Key keyFor(std::string_view use) const = 0;

  // Keys are as callers name them, "session/…". Only replicas can read and make values.
  virtual void get(std::string_view key, Span expiry,
                   ResultCallback<std::optional<std::string>> answer) = 0;
  virtual void put(std::string_view key, std::string_view value, Span expiry,
                   ResultCallback<Done> answer) = 0;
  virtual void compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                             std::string_view value, Span expiry, ResultCallback<bool> answer) = 0;
  virtual void erase(std::string_view key, std::optional<std::string_view> expected,
                     ResultCallback<StateErased> answer) = 0;
  // Others can read the sum.
  virtual void add(std::string_view key, std::int64_t delta, Span expiry,
                   ResultCallback<std::int64_t> answer) = 0;

  // Sends the message to the other replicas that can be reached. A replica that has missed a
  // message repairs that itself, see listen().
  virtual void publish(std::string_view channel, std::string_view message) = 0;
  // Calls `onMessage` with the messages that other replicas publish on the channel, and `onLoss` if
  // some may have been missed, on any channel. The calls do not overlap and must not block. There
  // are few channels; call it once for each.
  struct Listener {
    std::function<void(std::string_view message)> onMessage;
    std::function<void()> onLoss;
  };
  virtual void listen(std::string_view channel, Listener listener) = 0;

  // True if the store answered the last request. A store that does not answer is asked until it
  // does. `listener` is called at each change, on the thread that found it. It is called with true
  // once more if the store answers and has lost its data.
  virtual bool isEngineReachable() const noexcept = 0;
  virtual void onReachable(std::function<void(bool)> listener) = 0;
  // Reports the store as degraded while it cannot be reached.
  virtual Readiness readiness() const = 0;
};

} // namespace skillhost
