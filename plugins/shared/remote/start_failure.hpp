// SPDX-License-Identifier: Apache-2.0
// Says why a program was not started.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace skillhost::remote {

// Adds the usual cause if the kernel forbids it: our own confinement.
inline std::string whyNotStarted(const std::string &why) {
  const bool isForbidden = why.ends_with(std::generic_category().message(EPERM));
  return why + (isForbidden ? "; a plugin in a process of its own may start no program, and with "
                              "isolation: thread it may"
                            : "");
}

} // namespace skillhost::remote
