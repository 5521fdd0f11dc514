// SPDX-License-Identifier: Apache-2.0
// Attempts to find out the abilities of a process.
#pragma once

#include <string>
#include <vector>

namespace probe {

struct Attempt {
  std::string what, how; // "ok", an errno by its name, or "skipped: why"
};

// Tries every system call of the kernel's table with arguments that change nothing outside. The
// control is not confined, and leaves out the calls that would then have an effect.
std::vector<Attempt> everyCall(bool control);

struct Places {
  std::string folder; // another user's folder: "key", which nobody else may read, and "socket"
  std::string cache;  // its own folder
};
// Tries real attacks of a plugin on others.
std::vector<Attempt> attacks(const Places &places);

// Returns its identity and its remaining rights: "uid", "gid", "groups", and the sets of
// capabilities.
std::vector<Attempt> identity();

std::string outcome(long result); // from errno, right after the call

} // namespace probe
