// SPDX-License-Identifier: Apache-2.0
// Calls the functions of a state plugin in checks.
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

constexpr std::size_t maxStateKeyBytes = 512, maxStateValueBytes = 1U << 20U;

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
  std::string fault; // fault of the first invalid message

private:
  skh_status add(const skh_message *message);
  std::mutex mutex_;
  Raw raw_;
};

// Uses one instance with keys and channels of its own. Each call sets the step of `probe`,
// described by `what`.
class StateUser {
public:
  using Milliseconds = std::chrono::milliseconds;
  struct Got {
    skh_status status = SKH_FAILED;
    std::string bytes;
  };

  StateUser(Probe &probe, const skh_plugin &plugin, void *self, std::string prefix,
            std::uint32_t minor = SKH_ABI_MINOR)
      : probe_(probe), operations_(*static_cast<const skh_state *>(plugin.ops)), self_(self),
        prefix_(std::move(prefix)), minor_(minor) {}
  StateUser(Probe &probe, const Instance &instance, std::string prefix)
      : StateUser(probe, instance.plugin, instance.self, std::move(prefix), instance.host.minor()) {
  }

  // Returns a key of this run.
  std::string key(std::string_view name) const { return prefix_ + std::string(name); }
  // Message of the last call in brackets, or nothing.
  const std::string &message() const noexcept { return message_; }

  skh_status check();
  Got get(std::string_view key, std::uint64_t expiry = 0);
  skh_status put(std::string_view key, std::string_view value, std::uint64_t expiry);
  skh_status compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                           std::string_view value, std::uint64_t expiry);
  skh_status erase(std::string_view key, std::optional<std::string_view> expected = std::nullopt);
  Got add(std::string_view key, std::int64_t delta, std::uint64_t expiry);
  skh_status publish(std::string_view channel, std::string_view payload);
  // Publishes on a separate thread during another call, which stays the named step.
  skh_status publishMeanwhile(std::string_view channel, std::string_view payload) const;
  skh_status subscribe(std::string_view channel);
  skh_status unsubscribe(std::string_view channel);
  struct Received {
    skh_status status = SKH_FAILED;
    std::vector<TakenMessage> messages;
  };
  // Fails the check if a message does not follow state.h.
  Received receive(const StandInCall &call);
  Received receive(Milliseconds span);

private:
  template <class Body> skh_status ask(std::string_view what, const Body &body);

  Probe &probe_;
  const skh_state &operations_;
  void *const self_;
  const std::string prefix_;
  const std::uint32_t minor_; // of the host's calls
  std::string message_;
};

// Returns a prefix that no other run of a check uses, because the engine may be shared.
std::string statePrefix();
// Long enough for a check, and short enough that a killed run soon leaves nothing behind.
constexpr std::uint64_t stateLifetime = 600'000; // milliseconds

} // namespace skillhost::check
