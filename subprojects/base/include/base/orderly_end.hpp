// SPDX-License-Identifier: Apache-2.0
// The end of the process, whatever still runs.
#pragma once

#include <chrono>

namespace skillhost {

// For what is still under way at the end, and for a client that does not read.
inline constexpr std::chrono::milliseconds patienceAtEnd{2000};

// For a log that is read slowly, or not at all.
inline constexpr std::chrono::milliseconds patienceWithLog{500};

// From now on the process ends within `span`, and what the log is waited for: a plugin that does
// not come back, or a client that does not read, does not keep it.
void endWithin(std::chrono::milliseconds span);

} // namespace skillhost
