// SPDX-License-Identifier: Apache-2.0
#include "process/frame_socket.hpp"

#include <poll.h>
#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace skillhost::process {
namespace {

constexpr std::size_t header = sizeof(std::uint32_t);
constexpr std::size_t gulp = 64U << 10U;

// Returns false if the time is up.
bool wait(int descriptor, short events, Moment until) {
  pollfd one{descriptor, events, 0};
  for (;;) {
    timespec span{};
    const auto left = until == Moment::max() ? std::chrono::nanoseconds::max()
                                             : until - std::chrono::steady_clock::now();
    if (left.count() <= 0) return false;
    span.tv_sec = static_cast<time_t>(std::min<std::int64_t>(left.count() / 1'000'000'000, 3600));
    span.tv_nsec = static_cast<long>(left.count() % 1'000'000'000);
    const int ready = ::ppoll(&one, 1, &span, nullptr);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true; // the next call reports the error
  }
}

} // namespace

FrameSocket::Sent FrameSocket::sendPart(std::string_view &rest, Moment until) {
  while (!rest.empty()) {
    const ssize_t sent =
        ::send(descriptor_.number(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
    } else if (sent < 0 && errno == EAGAIN) {
      if (!wait(descriptor_.number(), POLLOUT, until)) return Sent::Part;
    } else if (sent < 0 && errno != EINTR) {
      return Sent::Closed;
    }
  }
  return Sent::All;
}

bool FrameSocket::send(Packer &packer, Moment until) {
  std::string_view rest = packer.frame();
  return sendPart(rest, until) == Sent::All;
}

bool FrameSocket::buffered(std::string_view &frame, bool &tooLong) {
  if (filled_ - begin_ < header) return false;
  Unpacker lead(std::string_view(buffer_).substr(begin_, header));
  const std::size_t size = lead.u32();
  tooLong = size > limit_;
  if (tooLong) return false;
  if (filled_ - begin_ < header + size) {
    if (buffer_.size() - begin_ < header + size) buffer_.resize(begin_ + header + size);
    return false;
  }
  frame = std::string_view(buffer_).substr(begin_ + header, size);
  begin_ += header + size;
  return true;
}

FrameSocket::Got FrameSocket::receive(Moment until, std::string_view &frame) {
  for (bool waited = false;;) {
    bool tooLong = false;
    if (buffered(frame, tooLong)) return Got::Frame;
    if (tooLong) return Got::TooLong;
    if (begin_ != 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
      ::explicit_bzero(buffer_.data() + filled_ - begin_,
                       begin_); // wiped, because it may have held a credential
      filled_ -= std::exchange(begin_, 0);
    }
    if (buffer_.size() - filled_ < gulp / 4) buffer_.resize(filled_ + gulp);
    const ssize_t got = ::recv(descriptor_.number(), buffer_.data() + filled_,
                               buffer_.size() - filled_, MSG_DONTWAIT);
    if (got > 0) {
      filled_ += static_cast<std::size_t>(got);
      continue;
    }
    if (got == 0) return Got::Closed;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return Got::Closed;
    if (waited && std::chrono::steady_clock::now() >= until) return Got::Nothing;
    waited = true;
    if (!wait(descriptor_.number(), POLLIN, until)) return Got::Nothing;
  }
}

void FrameSocket::shut() noexcept { ::shutdown(descriptor_.number(), SHUT_RDWR); }
void FrameSocket::endSending() noexcept { ::shutdown(descriptor_.number(), SHUT_WR); }

} // namespace skillhost::process
