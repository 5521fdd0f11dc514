// SPDX-License-Identifier: Apache-2.0
// A trial on its way to the process that runs it: in memory, as a token is not for the command
// line.
#pragma once

#include "check/try.hpp"

namespace skillhost::check {

// A descriptor to be lent, closed by the caller. Throws std::system_error.
int writeTrial(const Trial &trial);
// Closes the descriptor. Throws std::runtime_error for anything that writeTrial() did not write.
Trial readTrial(int descriptor);

} // namespace skillhost::check
