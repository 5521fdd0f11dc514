// SPDX-License-Identifier: Apache-2.0
// What a command prints.
#pragma once

#include "ground/result.hpp"

#include <chrono>
#include <string>

namespace skillhost {

// Runs it with /bin/sh, its input empty, its errors where ours go, and waits for its end: at most
// `span`, and until `stop` (a descriptor) can be read; then it is killed with all that it started.
// At most 1 MiB of output. The failure holds nothing of what it printed.
Result<std::string> commandOutput(const std::string &command, std::chrono::milliseconds span,
                                  int stop);

} // namespace skillhost
