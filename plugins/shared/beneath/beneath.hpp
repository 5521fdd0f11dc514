// SPDX-License-Identifier: Apache-2.0
// Opens files below a directory and never outside of it, whatever symbolic links and other
// processes do.
#pragma once

#include "ground/descriptor.hpp"

#include <string>
#include <string_view>

namespace skillhost::beneath {

// An open configured directory. Immutable, so threads may share it.
struct Root {
  std::string path;      // absolute, as configured
  std::string canonical; // absolute, without symbolic links
  Descriptor descriptor;
};

// `error` is an errno value; 0 if `descriptor` is open. EXDEV: the path leads out of the root.
struct Opened {
  Descriptor descriptor;
  int error = 0;
};

// Opens `path`, relative to the root ("" is the root itself), with the flags of open(2). It adds
// O_CLOEXEC, O_NONBLOCK and O_NOCTTY, so that neither a FIFO nor a device blocks. It follows
// symbolic links that stay inside. An absolute link counts as inside if it begins with the
// configured or the canonical path of the root.
Opened openBeneath(const Root &root, const std::string &path, int flags);

// Does the same without openat2(2), component by component. openBeneath() uses it for absolute
// links, and if the kernel or a sandbox refuses that call.
Opened openByComponents(const Root &root, std::string_view path, int flags);

} // namespace skillhost::beneath
