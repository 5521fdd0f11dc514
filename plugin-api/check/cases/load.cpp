// SPDX-License-Identifier: Apache-2.0
// load: calls dlopen() with every symbol bound and checks what the constructors do.
#include "cases.hpp"
#include "process_state.hpp"

#include <chrono>

namespace skillhost::check {

void checkLoad(Probe &probe) {
  const ProcessState before = ProcessState::now();
  const auto begun = std::chrono::steady_clock::now();
  probe.entry();
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  const ProcessState after = ProcessState::now();
  std::string left = differences(before, after);
  if (left.empty()) left = descriptorsMore(before, after);
  endChildren(after);
  if (!left.empty()) fail("loading it: " + left, "do nothing before create() is called");
  if (took.count() >= 100)
    probe.warn("loading it takes " + std::to_string(took.count()) + " ms",
               "constructors of static objects and libraries it is linked with cost time; create() "
               "may");
  probe.note("loads in " + std::to_string(took.count()) + " ms, and changes nothing");
}

} // namespace skillhost::check
