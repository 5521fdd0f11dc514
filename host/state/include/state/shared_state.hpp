// SPDX-License-Identifier: Apache-2.0
// What the replicas of one service share by an engine that a plugin speaks to. Absent (null) in a
// host that is alone: then each part keeps its own, and nothing costs anything.
//
// The engine is not trusted with more than it needs: owners and tokens are in keys as keyed hashes
// alone, and every value and message is encrypted and carries a code that only who knows the secret
// can make. What has another one, such as another product's, is not there. The engine sees how long
// values are, when they are written, and counters.
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
  std::string prefix = "skillhost"; // before every key and channel: services that share an engine
  Secret secret;                    // the same for all replicas
  std::chrono::milliseconds deadline{1000}; // of one operation
  // The pause between two questions by which a replica that only listens notices that its engine
  // has gone, or has lost what it held.
  std::chrono::milliseconds heartbeat{5'000};
};

// Any thread. Answers come on a thread of the plugin's executor, or on the caller's own when the
// call is refused at once; they must not block.
class SharedState {
public:
  using Span = StateBackend::Span;

  // Throws std::system_error when there are no random numbers.
  SharedState(std::shared_ptr<StateBackend> backend, SharedStateSettings settings);
  // stop().
  ~SharedState();
  SharedState(const SharedState &) = delete;
  SharedState &operator=(const SharedState &) = delete;

  // Waits for the engine's word that all can be done; at the start, before anything else.
  Status check(std::chrono::milliseconds span);
  // Takes no more calls, and waits for what runs. Not on a thread of the executor.
  void stop();

  // Names this process among the replicas; another one after each start. 16 hexadecimal digits.
  const std::string &replica() const noexcept;
  // 64 hexadecimal digits, the same in all replicas, that tell nothing of what they are made of.
  // `kind` keeps the uses apart.
  std::string keyed(std::string_view kind, std::initializer_list<std::string_view> parts) const;

  // A key that all replicas with this prefix have, for codes and digests that stay out of the
  // engine. `use` keeps the uses apart.
  Blake3Key keyFor(std::string_view use) const;

  // Keys are as callers name them, "session/…"; the prefix comes before them. Sealed.
  void get(std::string_view key, Span expiry, Answer<std::optional<std::string>> answer);
  void put(std::string_view key, std::string_view value, Span expiry, Answer<Done> answer);
  void compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                     std::string_view value, Span expiry, Answer<bool> answer);
  void erase(std::string_view key, std::optional<std::string_view> expected,
             Answer<StateErased> answer);
  // Not sealed: the engine does the sum.
  void add(std::string_view key, std::int64_t delta, Span expiry, Answer<std::int64_t> answer);

  // To the other replicas, as far as they can be reached: who has missed one repairs it, see
  // listen().
  void publish(std::string_view channel, std::string_view message);
  // What the others publish on the channel; never what this replica did. `lost`: some may have been
  // missed, on any channel. Both on a thread of the executor, one after another; must not block.
  // Channels are few; once for each, and for as long as this lives.
  struct Listener {
    std::function<void(std::string_view message)> heard;
    std::function<void()> lost;
  };
  void listen(std::string_view channel, Listener listener);

  // Whether the engine answered last. Once something listens it is asked every few seconds, and one
  // that is away is asked until it is back. `listener` hears of a change, on the thread that found
  // it. It hears "true" once more if the engine answers and has lost what it held.
  bool reachable() const noexcept;
  void onReachable(std::function<void(bool)> listener);
  // Degraded while the engine cannot be reached.
  Readiness readiness() const;

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

// Gives a part of the host the state that replicas share, which is made when the first part asks;
// null: this process shares nothing. The failure says why it cannot be used in a process that goes
// on without it; where the start must end, it throws std::runtime_error.
using ShareState = std::function<Result<std::shared_ptr<SharedState>>()>;

} // namespace skillhost
