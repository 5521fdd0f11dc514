// SPDX-License-Identifier: Apache-2.0
// The calls of a state plugin as the checks make them.
#pragma once

#include "instance.hpp"
#include "sinks.hpp"

#include <skillhost/state.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::check {

constexpr std::size_t longestStateKey = 512, largestStateValue = 1U << 20U;

struct TakenMessage {
  std::string channel, payload;
  bool isLost = false;
};

class MessageSink {
public:
  using Raw = Placed<skh_messages>;
  MessageSink();
  const skh_messages *raw() const noexcept { return raw_.get(); }
  std::vector<TakenMessage> messages;
  std::string fault; // of the first that is not as state.h wants it

private:
  skh_status add(const skh_message *message);
  std::mutex mutex_;
  Raw raw_;
};

// One instance, with keys and channels that nobody else uses. Each call says in `probe` what is
// being done, in the words of `what`.
class StateUser {
public:
  using Milliseconds = std::chrono::milliseconds;
  struct Got {
    skh_status status = SKH_FAILED;
    std::string bytes;
  };

  StateUser(Probe &probe, const skh_plugin &plugin, void *self, std::string prefix)
      : probe_(probe), operations_(*static_cast<const skh_state *>(plugin.ops)), self_(self),
        prefix_(std::move(prefix)) {}
  StateUser(Probe &probe, const Instance &instance, std::string prefix)
      : StateUser(probe, instance.plugin, instance.self, std::move(prefix)) {}

  // Of this run.
  std::string key(std::string_view name) const { return prefix_ + std::string(name); }
  // Of the last call, in brackets; or nothing.
  const std::string &message() const noexcept { return message_; }

  skh_status check();
  Got get(std::string_view key, std::uint64_t expiry = 0);
  skh_status put(std::string_view key, std::string_view value, std::uint64_t expiry);
  skh_status compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                           std::string_view value, std::uint64_t expiry);
  skh_status erase(std::string_view key, std::optional<std::string_view> expected = std::nullopt);
  Got add(std::string_view key, std::int64_t delta, std::uint64_t expiry);
  skh_status publish(std::string_view channel, std::string_view payload);
  // On a thread of its own, while another call is made, which is the one that is named.
  skh_status publishMeanwhile(std::string_view channel, std::string_view payload) const;
  skh_status subscribe(std::string_view channel);
  skh_status unsubscribe(std::string_view channel);
  struct Received {
    skh_status status = SKH_FAILED;
    std::vector<TakenMessage> messages;
  };
  // Fails the check for a message that is not as state.h wants it.
  Received receive(const StandInCall &call);
  Received receive(Milliseconds span);

private:
  template <class Body> skh_status ask(std::string_view what, const Body &body);

  Probe &probe_;
  const skh_state &operations_;
  void *const self_;
  const std::string prefix_;
  std::string message_;
};

// What no other run of a check has: the engine may be shared with others.
std::string statePrefix();
// Long enough for a check, and no rubbish is left of a run that was ended.
constexpr std::uint64_t stateLifetime = 600'000; // milliseconds

} // namespace skillhost::check
