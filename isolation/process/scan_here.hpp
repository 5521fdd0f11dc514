// SPDX-License-Identifier: Apache-2.0
// The child's part of inspecting a plugin file of unknown origin.
#pragma once

#include <sys/types.h>

#include <string>

namespace skillhost::process {

// Loads `file` and writes one JSON object to descriptor 3, or to standard output if that is not
// open. The exit code is always 0. The process ends with its parent `host`; 0: it does not.
// `copied`: descriptor 4 holds a copy of the file, which is inspected in its place.
int scanHere(const std::string &file, pid_t host, bool copied);

} // namespace skillhost::process
