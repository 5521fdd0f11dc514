// SPDX-License-Identifier: Apache-2.0
// requestState holds what a plugin wants to remember of a call; a client carries it and could
// change it.
#pragma once

#include "ground/blake3.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Seals with a key of this process, so a state that another process, or an earlier run, has sealed
// is refused, unless it gets a key that replicas have in common. Any thread.
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
