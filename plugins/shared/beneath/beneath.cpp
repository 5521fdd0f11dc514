// SPDX-License-Identifier: Apache-2.0
#include "beneath/beneath.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <cerrno>

namespace skillhost::beneath {
namespace {

constexpr int alwaysFlags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

// openat2(2) refuses unknown combinations: O_PATH goes with few other flags.
int withAlways(int flags) noexcept {
  return (flags & O_PATH) != 0 ? flags | O_CLOEXEC : flags | alwaysFlags;
}

} // namespace

Opened openBeneath(const Root &root, const std::string &path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(withAlways(flags));
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const char *name = path.empty() ? "." : path.c_str();
  // EAGAIN: something was renamed while the kernel followed "..". After several attempts this is no
  // coincidence.
  for (int attempt = 0; attempt < 8; ++attempt) {
    const long number = ::syscall(SYS_openat2, root.descriptor.number(), name, &how, sizeof how);
    if (number >= 0) return {Descriptor(static_cast<int>(number)), 0};
    if (errno != EAGAIN && errno != EINTR) break;
  }
  const int error = errno;
  const bool refused = error == ENOSYS || error == EPERM || error == EXDEV || error == EAGAIN;
  return refused ? openByComponents(root, path, flags) : Opened{{}, error};
}

} // namespace skillhost::beneath
