// SPDX-License-Identifier: Apache-2.0
// What a process may do, tried out.
#pragma once

#include <string>
#include <vector>

namespace probe {

struct Attempt {
  std::string what, how; // "ok", an errno by its name, or "skipped: why"
};

// Every system call of the kernel's table with arguments that change nothing outside. The control
// is not confined, and leaves out what would then be done.
std::vector<Attempt> everyCall(bool control);

struct Places {
  std::string folder; // somebody else's: "key", which nobody else may read, and "socket"
  std::string cache;  // its own
};
// What a plugin could do to others, for real.
std::vector<Attempt> attacks(const Places &places);

// Who it is and what it has left: "uid", "gid", "groups", and the sets of capabilities.
std::vector<Attempt> identity();

std::string outcome(long result); // by errno, at once after the call

} // namespace probe
