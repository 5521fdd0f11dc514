// SPDX-License-Identifier: Apache-2.0
// Runs a command and returns its output.
#pragma once

#include "ground/result.hpp"

#include <chrono>
#include <string>

namespace skillhost {

// Runs the command with /bin/sh. Its input is empty and its errors go where ours go. Waits for its
// end for at most `span`, or until the descriptor `stop` can be read, and then kills it with all
// that it started. Accepts at most 1 MiB of output. A failure contains nothing of the output.
Result<std::string> commandOutput(const std::string &command, std::chrono::milliseconds span,
                                  int stop);

} // namespace skillhost
