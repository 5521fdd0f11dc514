// SPDX-License-Identifier: Apache-2.0
// requestState: what a plugin wants to remember of a call, carried by a client that may change it.
#pragma once

#include "ground/blake3.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Seals with a key of this process: what another one has sealed, or this one before its start, is
// refused; unless it is given a key that replicas have in common. Any thread.
class SignedRequestState {
public:
  using Clock = std::chrono::system_clock;
  // What a sealed state holds for: the instance, the method, its target, the arguments, who asks.
  using Binding = std::vector<std::string>;

  // Seals by this key, and opens nothing else.
  explicit SignedRequestState(const Blake3Key &key = Blake3Key::random()) : key_(key) {}

  // Good until `lasts` is over.
  std::string seal(const Binding &binding, std::string_view state,
                   Clock::time_point now = Clock::now()) const;
  // The state as it was sealed. InvalidParams: it is none of ours for this binding, or too old.
  Result<std::string> open(const Binding &binding, std::string_view sealed,
                           Clock::time_point now = Clock::now()) const;

  static constexpr std::chrono::hours lasts{1};

private:
  std::string stamp(const Binding &binding, std::string_view expiry, std::string_view state) const;
  const Blake3Key key_;
};

} // namespace skillhost
