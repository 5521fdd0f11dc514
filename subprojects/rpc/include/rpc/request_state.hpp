// SPDX-License-Identifier: Apache-2.0
// Seals requestState: data that a plugin wants to remember about a call. The client carries it from
// one request to the next, so it could change it.
#pragma once

#include "ground/blake3.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Seals with a random key by default. Then a state that another process or an earlier run has
// sealed is refused. Replicas use a common key. Any thread.
class SignedRequestState {
public:
  using Clock = std::chrono::system_clock;
  // The scope of a sealed state: the instance, the method, its target, the arguments, the caller.
  using Binding = std::vector<std::string>;

  // Seals with this key, and opens nothing that another key has sealed.
  explicit SignedRequestState(const Blake3Key &key = Blake3Key::random()) : key_(key) {}

  // Seals a state, which is then valid for `lasts`.
  std::string seal(const Binding &binding, std::string_view state,
                   Clock::time_point now = Clock::now()) const;
  // Returns the state as it was sealed. Fails with InvalidParams if it is none of ours for this
  // binding, or too old.
  Result<std::string> open(const Binding &binding, std::string_view sealed,
                           Clock::time_point now = Clock::now()) const;

  static constexpr std::chrono::hours lasts{1};

private:
  std::string stamp(const Binding &binding, std::string_view expiry, std::string_view state) const;
  const Blake3Key key_;
};

} // namespace skillhost
