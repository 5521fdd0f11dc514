// SPDX-License-Identifier: Apache-2.0
// The state of a process, to detect what a plugin leaves behind.
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
  std::vector<std::uintptr_t> handlers; // handler of each signal, by number
  std::set<int> children;               // processes, including children of a child that has ended

  // Must be called after openProcessFiles().
  static ProcessState now();
};

// Opens the files that now() reads. Must be called before the process is confined, because it
// cannot open them afterwards.
void openProcessFiles();

// Returns the differences, for example "1 thread more, and signal handlers for SIGTERM and SIGINT";
// empty if there are none. It ignores fewer threads and more descriptors, see addedDescriptors().
std::string differences(const ProcessState &before, const ProcessState &after);
// Returns for example "3 descriptors more"; empty if there are not more than before.
std::string addedDescriptors(const ProcessState &before, const ProcessState &after);
// Waits until there are no more than `threads` threads, because a joined thread may take a moment
// to disappear, and returns now(). Gives up after half a second.
ProcessState settledState(std::size_t threads);
// True if AddressSanitizer is active. It keeps freed memory to find later uses, so resident memory
// says nothing about a plugin.
bool freedMemoryIsKept();
void endChildren(const ProcessState &state);

} // namespace skillhost::check
