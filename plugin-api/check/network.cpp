// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

#include <sched.h>

namespace skillhost::check {

bool leaveNetwork() noexcept {
  return ::unshare(CLONE_NEWNET) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0;
}

} // namespace skillhost::check
