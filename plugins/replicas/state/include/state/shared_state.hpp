// SPDX-License-Identifier: Apache-2.0
// The store that the replicas of one service share. It is in an engine that a plugin connects to.
//
// The engine is trusted as little as possible. Keys contain owners and tokens only as keyed hashes.
// Every value and message is encrypted, and carries a code that can only be made with the secret. A
// value with a wrong code, such as another product's, counts as absent. The engine can see the
// length of values, the times of writing, and counters.
#pragma once

#include "ground/secret.hpp"
#include "plugin/shared_store.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct SharedStateSettings {
  // Stands before every key and channel, because services may share an engine.
  std::string prefix = "skillhost";
  Secret secret;                            // the same for all replicas
  std::chrono::milliseconds deadline{1000}; // for one operation
  // The pause between two requests with which a replica that otherwise only listens notices that
  // its engine is unreachable, or has lost its data.
  std::chrono::milliseconds heartbeat{5'000};
};

// Answers come on a thread of the plugin's executor, or on the caller's own if the call is refused
// at once. Once there is a listener, the engine is asked every few seconds.
class SharedState : public SharedStore {
public:
  // Throws std::system_error if there are no random numbers.
  SharedState(std::shared_ptr<StateBackend> backend, SharedStateSettings settings);
  // Calls stop().
  ~SharedState() override;

  // The failure is InvalidInput if the configuration of the engine is wrong.
  Status check(std::chrono::milliseconds span) override;
  void stop() final;

  const std::string &replica() const noexcept override;
  std::string keyedDigest(std::string_view kind,
                          std::initializer_list<std::string_view> parts) const override;
  Blake3Key keyFor(std::string_view use) const override;

  // Adds the prefix to keys, and encrypts values.
  void get(std::string_view key, Span expiry,
           ResultCallback<std::optional<std::string>> answer) override;
  void put(std::string_view key, std::string_view value, Span expiry,
           ResultCallback<Done> answer) override;
  void compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                     std::string_view value, Span expiry, ResultCallback<bool> answer) override;
  void erase(std::string_view key, std::optional<std::string_view> expected,
             ResultCallback<StateErased> answer) override;
  // The sum is not encrypted, because the engine adds.
  void add(std::string_view key, std::int64_t delta, Span expiry,
           ResultCallback<std::int64_t> answer) override;

  void publish(std::string_view channel, std::string_view message) override;
  void listen(std::string_view channel, Listener listener) override;

  bool isEngineReachable() const noexcept override;
  void onReachable(std::function<void(bool)> listener) override;
  Readiness readiness() const override;

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
