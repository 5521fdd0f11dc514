// SPDX-License-Identifier: Apache-2.0
// Passes a trial to its process in memory, because a token must not be on the command line.
#pragma once

#include "check/try.hpp"

namespace skillhost::check {

// Returns a descriptor to lend, which the caller closes. Throws std::system_error.
int writeTrial(const Trial &trial);
// Closes the descriptor. Throws std::runtime_error if the content does not come from writeTrial().
Trial readTrial(int descriptor);

} // namespace skillhost::check
