// SPDX-License-Identifier: Apache-2.0
// Replicas that share one engine in memory.
#pragma once

#include "state/shared_state.hpp"
#include "state_in_memory.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

inline const std::string secretOfTest(32, 's');

inline std::shared_ptr<SharedState>
replicaOf(const std::shared_ptr<StateEngine> &engine, const std::string &secret = secretOfTest,
          const std::string &prefix = "test",
          std::chrono::milliseconds heartbeat = std::chrono::seconds(5)) {
  SharedStateSettings settings;
  settings.prefix = prefix;
  settings.heartbeat = heartbeat;
  settings.secret = Secret(secret);
  return std::make_shared<SharedState>(std::make_shared<StateInMemory>(engine),
                                       std::move(settings));
}

// Returns the value of `key`; the engine in memory answers before this returns.
inline Result<std::optional<std::string>> valueOf(SharedState &state, const std::string &key) {
  Result<std::optional<std::string>> found{Fault::Internal, "no answer"};
  state.get(key, {}, [&](auto answer) { found = std::move(answer); });
  return found;
}
inline void put(SharedState &state, const std::string &key, std::string_view value) {
  state.put(key, value, {}, nullptr);
}

} // namespace skillhost
