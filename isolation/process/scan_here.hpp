// SPDX-License-Identifier: Apache-2.0
// The child's part of looking into a plugin file that nobody has vouched for.
#pragma once

#include <sys/types.h>

#include <string>

namespace skillhost::process {

// Loads `file` and writes one JSON object to descriptor 3, or to standard output when there is
// none. The exit code is 0 whatever was found. `host` ends it with its own end; 0: none. `copied`:
// descriptor 4 is a copy of the file, to be looked into in its place.
int scanHere(const std::string &file, pid_t host, bool copied);

} // namespace skillhost::process
