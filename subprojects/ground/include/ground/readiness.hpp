// SPDX-License-Identifier: Apache-2.0
// Waiting for a descriptor, with a deadline and a word to stop.
#pragma once

#include "ground/deadline.hpp"
#include "ground/result.hpp"

#include <cstdint>

namespace skillhost {

enum class Direction : std::uint8_t { In, Out };
struct AwaitedDescriptor {
  int number;
  Direction direction;
};

// Cancelled when `stop` can be read (-1: nothing to look at), ToolTimeout when the deadline has
// passed. Ready is also what has ended.
Status awaitReadiness(AwaitedDescriptor awaited, int stop, Deadline deadline);

} // namespace skillhost
