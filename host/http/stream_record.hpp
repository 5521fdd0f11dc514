// SPDX-License-Identifier: Apache-2.0
// The stream of a request as replicas share it: what its client has not heard for certain, for the
// replica that the client comes back to.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

struct StreamRecord {
  std::string audience;  // a keyed hash of the rules of visibility that it was made for
  bool manages = false;  // see Audience
  bool finished = false; // nothing more follows
  std::vector<std::pair<std::uint64_t, std::string>> events; // number and message, in order

  // Without its oldest events where all would be more than `largest` bytes.
  std::string text() const;
  // Corrupt: nothing of that kind, or of another version. Never throws but for lack of memory.
  static Result<StreamRecord> read(std::string_view text);

  static constexpr std::size_t largest = 512U << 10U;
};

} // namespace skillhost
