// SPDX-License-Identifier: Apache-2.0
// Functions that end the work of each of our programs.
#pragma once

#include <exception>
#include <string>

namespace skillhost::app {

// Returns `code`, or 1 if not everything that was printed could be written, which it reports on
// standard error: a full disk, or a file that may not grow further, is no success.
int exitCodeAfterPrinting(int code);

// Returns the reason of a failure for an operator. The standard library has no sentences for a lack
// of memory or threads.
std::string reasonOf(const std::exception &why);

} // namespace skillhost::app
