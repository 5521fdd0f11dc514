// SPDX-License-Identifier: Apache-2.0
// What this machine's kernel has to confine the process of a plugin with.
#pragma once

#include <string>

namespace skillhost {

struct KernelFacts {
  bool confines = false;     // everything
  std::string confinement;   // "landlock 7, limits, seccomp", or what there is not
  bool holdsToHosts = false; // a list of hosts in `network` can be kept
  std::string cgroup;        // delegated to this process; empty: none is
  std::string whyNoCgroup;
  bool tellsEnds = false; // pidfd_open(2): the end of a process is noticed at once
};

// Confines a child that ends at once, and asks it. Before this process has threads.
KernelFacts kernelFacts();

} // namespace skillhost
