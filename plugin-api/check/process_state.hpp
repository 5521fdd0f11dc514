// SPDX-License-Identifier: Apache-2.0
// What a plugin may leave behind in the process that it is a guest of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace skillhost::check {

struct ProcessState {
  std::size_t threads = 0;
  std::set<int> descriptors;
  std::size_t residentBytes = 0;
  std::vector<std::uintptr_t> handlers; // of each signal, by number
  std::set<int> children;               // processes, those of a child that ended included

  // After openProcessFiles().
  static ProcessState now();
};

// What now() looks into: before the process is confined, which has then no way to open it.
void openProcessFiles();

// Empty, or what differs: "1 thread more, and signal handlers for SIGTERM and SIGINT". Fewer
// threads do not count, nor more descriptors: see descriptorsMore().
std::string differences(const ProcessState &before, const ProcessState &after);
// Empty, or "3 more descriptors".
std::string descriptorsMore(const ProcessState &before, const ProcessState &after);
// now(), once no thread is left over `threads`: one that was joined may take a moment to go. Gives
// up after half a second.
ProcessState settledState(std::size_t threads);
// Whether AddressSanitizer is in this process: it keeps what is freed, to find who uses it still,
// and resident memory then says nothing of a plugin.
bool freedMemoryIsKept();
void endChildren(const ProcessState &state);

} // namespace skillhost::check
