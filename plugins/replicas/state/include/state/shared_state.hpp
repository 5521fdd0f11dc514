// SPDX-License-Identifier: Apache-2.0
// The store that the replicas of one service share, in an engine that a plugin speaks to.
//
// The engine is not trusted with more than it needs: owners and tokens are in keys as keyed hashes
// alone, and every value and message is encrypted and carries a code that only who knows the secret
// can make. A value with another code, such as another product's, is taken for absent. The engine
// sees how long values are, when they are written, and counters.
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
  std::string prefix = "skillhost"; // before every key and channel: services that share an engine
  Secret secret;                    // the same for all replicas
  std::chrono::milliseconds deadline{1000}; // of one operation
  // The pause between two questions by which a replica that only listens notices that its engine
  // has gone, or has lost what it held.
  std::chrono::milliseconds heartbeat{5'000};
};

// Answers come on a thread of the plugin's executor, or on the caller's own when the call is
// refused at once. Once something listens the engine is asked every few seconds.
class SharedState : public SharedStore {
public:
  // Throws std::system_error when there are no random numbers.
  SharedState(std::shared_ptr<StateBackend> backend, SharedStateSettings settings);
  // stop().
  ~SharedState() override;

  // The failure is InvalidInput if the configuration of the engine is wrong.
  Status check(std::chrono::milliseconds span) override;
  void stop() final;

  const std::string &replica() const noexcept override;
  std::string keyed(std::string_view kind,
                    std::initializer_list<std::string_view> parts) const override;
  Blake3Key keyFor(std::string_view use) const override;

  // The prefix comes before keys. Values and messages are sealed.
  void get(std::string_view key, Span expiry, Answer<std::optional<std::string>> answer) override;
  void put(std::string_view key, std::string_view value, Span expiry, Answer<Done> answer) override;
  void compareAndSet(std::string_view key, std::optional<std::string_view> expected,
                     std::string_view value, Span expiry, Answer<bool> answer) override;
  void erase(std::string_view key, std::optional<std::string_view> expected,
             Answer<StateErased> answer) override;
  // Not sealed: the engine does the sum.
  void add(std::string_view key, std::int64_t delta, Span expiry,
           Answer<std::int64_t> answer) override;

  void publish(std::string_view channel, std::string_view message) override;
  void listen(std::string_view channel, Listener listener) override;

  bool reachable() const noexcept override;
  void onReachable(std::function<void(bool)> listener) override;
  Readiness readiness() const override;

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
