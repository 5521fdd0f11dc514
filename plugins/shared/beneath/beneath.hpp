// SPDX-License-Identifier: Apache-2.0
// Opening below a directory and never outside it, whatever symbolic links and other processes do.
#pragma once

#include "ground/descriptor.hpp"

#include <string>
#include <string_view>

namespace skillhost::beneath {

// A configured directory that is open. Immutable, so shared between threads.
struct Root {
  std::string path;      // absolute, as configured
  std::string canonical; // absolute, without symbolic links
  Descriptor descriptor;
};

// `error` is an errno value, 0 when `descriptor` is open. EXDEV: the path leads out of the root.
struct Opened {
  Descriptor descriptor;
  int error = 0;
};

// Opens `path`, relative to the root ("" is the root itself), with the flags of open(2).
// O_CLOEXEC, O_NONBLOCK and O_NOCTTY are added, so that neither a FIFO nor a device blocks.
// Symbolic links are followed while they stay inside; an absolute one counts as inside when it is
// written with the configured or the canonical path of the root.
Opened openBeneath(const Root &root, const std::string &path, int flags);

// The same without openat2(2), one component after the other: what openBeneath() does where the
// kernel or a sandbox refuses that call, and for absolute links.
Opened openByComponents(const Root &root, std::string_view path, int flags);

} // namespace skillhost::beneath
