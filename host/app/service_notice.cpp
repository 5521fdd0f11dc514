// SPDX-License-Identifier: Apache-2.0
#include "service_notice.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace skillhost::app {

void notifyServiceManager(std::string_view state) noexcept {
  const char *const path = std::getenv("NOTIFY_SOCKET"); // NOLINT(concurrency-mt-unsafe)
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = path == nullptr ? 0 : std::strlen(path);
  if (length < 2 || length >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path, length);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0'; // an abstract name
  const int sender = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (sender < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  // Whoever does not hear it waits, and says so itself.
  [[maybe_unused]] const ssize_t sent =
      ::sendto(sender, state.data(), state.size(), MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr *>(&address), size);
  ::close(sender);
}

} // namespace skillhost::app
