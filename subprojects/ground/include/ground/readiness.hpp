// SPDX-License-Identifier: Apache-2.0
// Waits for a descriptor, with a deadline and a stop signal.
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

// Fails with Cancelled when `stop` can be read (-1: none), and with ToolTimeout when the deadline
// has passed. A descriptor that has ended counts as ready.
Status awaitReadiness(AwaitedDescriptor awaited, int stop, Deadline deadline);

} // namespace skillhost
