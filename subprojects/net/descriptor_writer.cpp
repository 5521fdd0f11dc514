// SPDX-License-Identifier: Apache-2.0
#include "descriptor_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace skillhost {

DescriptorWriter::DescriptorWriter(int descriptor)
    : descriptor_(descriptor), own_(descriptor), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (wake_ < 0) throw std::runtime_error("eventfd: no descriptor left");
  struct stat info{};
  if (::fstat(descriptor, &info) != 0) return;
  if (S_ISSOCK(info.st_mode)) kind_ = Kind::Socket;
  if (::isatty(descriptor) != 0) kind_ = Kind::Terminal;
  if (!S_ISFIFO(info.st_mode)) return;
  const std::string again = "/proc/self/fd/" + std::to_string(descriptor);
  own_ = ::open(again.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  kind_ = own_ < 0 ? Kind::Terminal : Kind::Pipe; // without /proc, treat it like a terminal
  if (own_ < 0) own_ = descriptor;
  // With room for 512 KiB, the answers to a burst of requests fit at once. In the usual 64 KiB each
  // answer waits for the client and costs a change of threads. Do not ask for more, because all
  // pipes of a user share 64 MiB. If the kernel refuses, the pipe stays as it is.
  constexpr int roomy = 512 << 10;
  if (kind_ == Kind::Pipe && ::fcntl(own_, F_GETPIPE_SZ) < roomy)
    ::fcntl(own_, F_SETPIPE_SZ, roomy);
}

DescriptorWriter::~DescriptorWriter() {
  if (own_ != descriptor_) ::close(own_);
  ::close(wake_);
}

void DescriptorWriter::begin(std::vector<iovec> &parts) noexcept {
  parts_.swap(parts);
  parts.clear();
  first_ = 0;
}

ssize_t DescriptorWriter::writeOnce(std::size_t count) {
  if (kind_ != Kind::Socket) return ::writev(own_, &parts_[first_], static_cast<int>(count));
  msghdr message{};
  message.msg_iov = &parts_[first_];
  message.msg_iovlen = count;
  return ::sendmsg(own_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

DescriptorWriter::Outcome DescriptorWriter::write() {
  while (first_ < parts_.size()) {
    if (kind_ == Kind::Terminal && !waited_) return Outcome::Full;
    waited_ = false;
    const ssize_t written = writeOnce(std::min<std::size_t>(parts_.size() - first_, IOV_MAX));
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN ? Outcome::Full : Outcome::Gone;
    }
    auto left = static_cast<std::size_t>(written);
    written_ += left;
    while (first_ < parts_.size() && left >= parts_[first_].iov_len)
      left -= parts_[first_++].iov_len;
    if (left > 0) {
      parts_[first_].iov_base = static_cast<char *>(parts_[first_].iov_base) + left;
      parts_[first_].iov_len -= left;
    }
  }
  return Outcome::Sent;
}

bool DescriptorWriter::wait() {
  for (;;) {
    pollfd watched[] = {{own_, POLLOUT, 0}, {wake_, POLLIN, 0}};
    if (::poll(watched, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (watched[1].revents != 0) return false;
    waited_ = true;
    return true; // there is room, or the next write reports the fault
  }
}

void DescriptorWriter::wake() noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
}

} // namespace skillhost
