// SPDX-License-Identifier: Apache-2.0
#include "ground/descriptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace skillhost {

bool writeAll(int descriptor, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

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

namespace {

// A byte, with room for one descriptor beside it.
struct Parcel {
  Parcel() {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
  }
  Parcel(const Parcel &) = delete;
  Parcel &operator=(const Parcel &) = delete;
  // Reserves space for exactly one descriptor. With padding, the kernel would add a second one.
  void withDescriptor() {
    message.msg_control = space.data();
    message.msg_controllen = CMSG_LEN(sizeof(int));
  }

  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
};

} // namespace

bool sendDescriptor(int socket, int descriptor) noexcept {
  Parcel parcel;
  if (descriptor >= 0) {
    parcel.withDescriptor();
    cmsghdr *const header = CMSG_FIRSTHDR(&parcel.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent = 0;
  while ((sent = ::sendmsg(socket, &parcel.message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return sent == 1;
}

std::optional<Descriptor> receiveDescriptor(int socket) noexcept {
  Parcel parcel;
  parcel.withDescriptor();
  ssize_t got = 0;
  while ((got = ::recvmsg(socket, &parcel.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC)) < 0 &&
         errno == EINTR) {}
  if (got < 0 && errno == EAGAIN) return std::nullopt;
  const cmsghdr *const header = got > 0 ? CMSG_FIRSTHDR(&parcel.message) : nullptr;
  if (header == nullptr || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof(int)))
    return Descriptor();
  int number = -1;
  std::memcpy(&number, CMSG_DATA(header), sizeof number);
  return Descriptor(number);
}

} // namespace skillhost
