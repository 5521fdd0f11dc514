// SPDX-License-Identifier: Apache-2.0
// The state that the replicas of one service share in an engine, through a plugin. It is null in a
// host that runs alone: each part then keeps its own state, at no cost.
//
// The engine is trusted only with what it needs: keys contain owners and tokens as keyed hashes
// only, and every value and message is encrypted and carries a code that only holders of the secret
// can make. A value with another code, such as that of another product, counts as missing. The
// engine sees the length of values, the times of writes, and counters.
#pragma once

#include "ground/blake3.hpp"
#include "ground/secret.hpp"
#include "plugin/state.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct Readiness;

struct SharedStateSettings {
  // In front of every key and channel, so that several services can share an engine.
  std::string prefix = "skillhost";
  Secret secret;                            // the same for all replicas
  std::chrono::milliseconds deadline{1000}; // of one operation
  // The interval between two reads by which a replica that only listens notices that its engine is
  // unreachable or has lost its data.
  std::chrono::milliseconds heartbeat{5'000};
};

// Derives the key for one use from the secret. It needs no engine and does not depend on the
// prefix.
Blake3Key keyOfService(const Secret &secret, std::string_view use);

// Any thread. Answers arrive on a thread of the plugin's executor, or on the caller's own if the
// call is refused at once; they must not block.
class SharedState {
public:
  using Span = StateBackend::Span;

  // Throws std::system_error if there are no random numbers.
  SharedState(std::shared_ptr<StateBackend> backend, SharedStateSettings settings);
  // Calls stop().
  ~SharedState();
  SharedState(const SharedState &) = delete;
  SharedState &operator=(const SharedState &) = delete;

  // Blocks until the engine confirms that it supports every operation. Call it at the start, before
  // anything else.
  Status check(std::chrono::milliseconds span);
  // Refuses further calls, and waits for the running ones. Do not call it on a thread of the
  // executor.
  void stop();

  // Returns the name of this process among the replicas, 16 hexadecimal digits. It changes with
  // each start.
  const std::string &replica() const noexcept;
  // Returns 64 hexadecimal digits that are the same in all replicas and reveal nothing about
  // `parts`. `kind` separates the uses.
  std::string keyed(std::string_view kind, std::initializer_list<std::string_view> parts) const;

  // Returns a key that all replicas with this prefix have, for codes and digests that are not
  // stored in the engine. `use` separates the uses.
  Blake3Key keyFor(std::string_view use) const;

  // The following functions take keys such as "session/…" and put the prefix in front of them.
  // Values are sealed.
  void get(std::string_view key, Span expiry, Answer<std::optional<std::string>> answer);
  void put(std::string_view key, std::string_view value, Span expiry, Answer<Done> answer);
  void compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                     std::string_view value, Span expiry, Answer<bool> answer);
  void erase(std::string_view key, std::optional<std::string_view> expected,
             Answer<StateErased> answer);
  // The number is not sealed, because the engine adds to it.
  void add(std::string_view key, std::int64_t delta, Span expiry, Answer<std::int64_t> answer);

  // Sends a message to the other replicas, as far as they can be reached. A replica that misses one
  // is notified: see listen().
  void publish(std::string_view channel, std::string_view message);
  // `heard` receives the messages of other replicas on the channel, never those of this one. `lost`
  // is called when messages may have been missed, on any channel. Both run on a thread of the
  // executor, one after the other, and must not block. Use few channels, and call it once for each;
  // the listener stays as long as this object.
  struct Listener {
    std::function<void(std::string_view message)> heard;
    std::function<void()> lost;
  };
  void listen(std::string_view channel, Listener listener);

  // Returns true if the engine answered last time. Once there is a listener, the engine is queried
  // every few seconds, and an unreachable one until it is back. `listener` receives each change, on
  // the thread that found it. It receives "true" once more if the engine answers and has lost its
  // data.
  bool reachable() const noexcept;
  void onReachable(std::function<void(bool)> listener);
  // Reports degraded while the engine cannot be reached.
  Readiness readiness() const;

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

// Returns the state that replicas share for a part of the host; it is made for the first part that
// asks. Null if this process shares nothing. The failure says why the state cannot be used in a
// process that continues without it. If the process must not start without it, it throws
// std::runtime_error.
using ShareState = std::function<Result<std::shared_ptr<SharedState>>()>;

} // namespace skillhost
