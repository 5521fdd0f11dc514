// SPDX-License-Identifier: Apache-2.0
// Ends the process, whatever still runs.
#pragma once

#include <chrono>

namespace skillhost {

// The wait for running work at the end, and for a client that does not read.
inline constexpr std::chrono::milliseconds patienceAtEnd{2000};

// The wait for a log that is read slowly or not at all.
inline constexpr std::chrono::milliseconds patienceWithLog{500};

// Ensures that the process ends within `span` plus the wait for the log, even if a plugin does not
// return or a client does not read.
void endWithin(std::chrono::milliseconds span);

} // namespace skillhost
