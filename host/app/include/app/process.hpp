// SPDX-License-Identifier: Apache-2.0
// Every program of ours ends its work by these.
#pragma once

#include <exception>
#include <string>

namespace skillhost::app {

// Returns `code`, or 1 when not all that was printed could be written, which it says on standard
// error: a full disk, or a file that may not grow further, is no success.
int withAllPrinted(int code);

// Says for an operator why something failed. The library has no sentences for memory and threads
// that are not to be had.
std::string reasonOf(const std::exception &why);

} // namespace skillhost::app
