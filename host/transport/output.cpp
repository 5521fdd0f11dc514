// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <poll.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t mostHeld = 256U << 10U;  // bytes gathered before they go out anyway
constexpr std::size_t mostPending = 8U << 20U; // bytes unsent before senders wait

// Writes all of `parts`; false when the other side is gone, or a signal came after `stopping`.
bool writeAll(int descriptor, std::vector<iovec> &parts, const std::atomic<bool> &stopping) {
  std::size_t first = 0;
  while (first < parts.size()) {
    const auto count = static_cast<int>(std::min<std::size_t>(parts.size() - first, IOV_MAX));
    const ssize_t written = ::writev(descriptor, &parts[first], count);
    if (written < 0) {
      if (errno == EINTR && !stopping) continue;
      if (errno != EAGAIN) return false;
      // Somebody who shares the description made it non-blocking: wait as a blocking one would.
      pollfd room{descriptor, POLLOUT, 0};
      if (::poll(&room, 1, -1) < 0 && (errno != EINTR || stopping)) return false;
      continue;
    }
    auto left = static_cast<std::size_t>(written);
    while (first < parts.size() && left >= parts[first].iov_len) left -= parts[first++].iov_len;
    if (left > 0) {
      parts[first].iov_base = static_cast<char *>(parts[first].iov_base) + left;
      parts[first].iov_len -= left;
    }
  }
  return true;
}

} // namespace

StdioTransport::Output::Output(int descriptor, std::function<void()> broken)
    : descriptor_(descriptor), broken_(std::move(broken)) {}

void StdioTransport::Output::send(Fragments message) {
  message.append("\n");
  std::unique_lock lock(mutex_);
  // Only while somebody else writes: who could write itself does so below.
  drained_.wait(lock, [this] { return closed_ || !writing_ || pendingBytes_ < mostPending; });
  if (closed_) return;
  pendingBytes_ += message.size();
  pending_.push_back(std::move(message));
  if (!held_ || pendingBytes_ >= mostHeld) flush(lock);
}

void StdioTransport::Output::hold() {
  const std::scoped_lock lock(mutex_);
  held_ = true;
}

void StdioTransport::Output::release() {
  std::unique_lock lock(mutex_);
  held_ = false;
  flush(lock);
}

void StdioTransport::Output::flush(std::unique_lock<std::mutex> &lock) {
  if (writing_) return; // who writes now takes these along
  writing_ = true;
  while (!pending_.empty() && !closed_) {
    const std::vector<Fragments> messages = std::exchange(pending_, {});
    pendingBytes_ = 0;
    lock.unlock();
    const bool sent = write(messages);
    lock.lock();
    drained_.notify_all();
    if (!sent) {
      closed_ = true;
      pending_.clear();
      broken_();
    }
  }
  writing_ = false;
  drained_.notify_all();
}

bool StdioTransport::Output::write(const std::vector<Fragments> &messages) const {
  std::vector<iovec> parts;
  for (const Fragments &message : messages)
    message.each([&](std::string_view piece) {
      if (!piece.empty()) parts.push_back({const_cast<char *>(piece.data()), piece.size()});
    });
  return writeAll(descriptor_, parts, stopping_);
}

} // namespace skillhost
