// SPDX-License-Identifier: Apache-2.0
// load: calls dlopen() with every symbol bound and checks what the constructors do.
#include "cases.hpp"
#include "process_state.hpp"

#include <chrono>

namespace skillhost::check {

void checkLoad(Probe &probe) {
  const ProcessState before = ProcessState::now();
  const auto start = std::chrono::steady_clock::now();
  probe.loadEntry();
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  const ProcessState after = ProcessState::now();
  std::string changes = differences(before, after);
  if (changes.empty()) changes = addedDescriptors(before, after);
  endChildren(after);
  if (!changes.empty()) fail("loading it: " + changes, "do nothing before create() is called");
  if (took.count() >= 100)
    probe.warn("loading it takes " + std::to_string(took.count()) + " ms",
               "do slow work in create() instead of constructors of static objects, and link fewer "
               "libraries");
  probe.note("loads in " + std::to_string(took.count()) + " ms, and changes nothing");
}

} // namespace skillhost::check
