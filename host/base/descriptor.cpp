// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace skillhost {

Result<Pipe> Pipe::open() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return {Fault::Unavailable, "no pipe: " + std::generic_category().message(errno)};
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

std::pair<Descriptor, Descriptor> socketPair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

} // namespace skillhost
