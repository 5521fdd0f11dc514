// SPDX-License-Identifier: Apache-2.0
#include "net/stdio.hpp"

#include "base/log.hpp"
#include "output.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

// Cuts the input into lines. It keeps nothing of a line that exceeds the limit or the memory. It
// never throws: only the line that cannot be handled is lost.
class LineReader {
public:
  LineReader(const LineHandler &handler, std::size_t limit)
      : handler_(handler), limit_(limit), buffer_(64U << 10U) {}

  // Room for the next read; never empty.
  char *space() noexcept {
    if (used_ == buffer_.size() && !resize(buffer_.size() * 2)) {
      skip(used_);
      log::warning("stdio", "memory is short: a long message is not read");
    }
    return buffer_.data() + used_;
  }
  std::size_t spaceSize() const noexcept { return buffer_.size() - used_; }

  void took(std::size_t bytes) noexcept {
    std::size_t begin = 0, from = used_;
    used_ += bytes;
    while (const void *end = std::memchr(buffer_.data() + from, '\n', used_ - from)) {
      const auto at = static_cast<std::size_t>(static_cast<const char *>(end) - buffer_.data());
      give({buffer_.data() + begin, at - begin});
      begin = from = at + 1;
    }
    std::memmove(buffer_.data(), buffer_.data() + begin, used_ - begin);
    used_ -= begin;
    if (used_ > limit_ || skipping_ != 0) skip(skipping_ != 0 ? skipping_ : limit_);
    if (used_ == 0 && buffer_.size() > kept) resize(kept);
  }

  // Ends the input: bytes without a line end count as a line.
  void finish() noexcept {
    give({buffer_.data(), used_});
    used_ = 0;
  }

private:
  static constexpr std::size_t kept = 1U << 20U; // a larger buffer is released after use

  // Calls a function of the handler, and logs what it throws.
  template <class Function> void handle(Function function) noexcept {
    try {
      function();
    } catch (const std::exception &why) {
      log::failure("stdio", {"a message is lost"}, why);
    }
  }

  // Returns false if there is no memory. Keeps the used bytes as far as they fit.
  bool resize(std::size_t size) noexcept {
    try {
      std::vector<char> other(size);
      std::memcpy(other.data(), buffer_.data(), std::min(used_, size));
      other.swap(buffer_);
      return true;
    } catch (const std::exception &) {
      return false;
    }
  }

  // Keeps nothing more of this line, which is longer than `limit`.
  void skip(std::size_t limit) noexcept {
    handle([&] { handler_.piece({buffer_.data(), used_}); });
    skipping_ = limit;
    used_ = 0;
  }

  void give(std::string_view line) noexcept {
    if (skipping_ != 0) {
      handle([&] { handler_.piece(line); });
      return handle([&] { handler_.tooLong(std::exchange(skipping_, 0)); });
    }
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    // Some shells and editors write a byte order mark into a pipe. It is cut from every line.
    if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.size() > limit_) {
      handle([&] { handler_.piece(line); });
      handle([&] { handler_.tooLong(limit_); });
    } else if (line.find_first_not_of(" \t\r") != std::string_view::npos)
      handle([&] { handler_.line(line); });
  }

  const LineHandler &handler_;
  const std::size_t limit_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::size_t skipping_ = 0; // limit that the skipped line exceeds; 0: the line is kept
};

} // namespace

StdioTransport::StdioTransport(int input, int output, std::size_t maxLine)
    : input_(input), maxLine_(maxLine), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      output_(std::make_unique<Output>(output, [this] { wake(); })) {
  if (wake_ < 0) throw std::runtime_error("eventfd: no descriptor left");
}

StdioTransport::~StdioTransport() { ::close(wake_); }

void StdioTransport::stop() noexcept {
  stopping_ = true;
  wake();
}

void StdioTransport::wake() noexcept {
  const std::uint64_t one = 1;
  // This write only fails if the counter is full, and then the reader is already awake.
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
}

void StdioTransport::send(Fragments message) { output_->send(std::move(message)); }

bool StdioTransport::full() const { return output_->full(); }

void StdioTransport::finish(std::chrono::milliseconds span) { output_->finish(span); }

StdioTransport::End StdioTransport::run(const LineHandler &handler) {
  LineReader lines(handler, maxLine_);
  for (;;) {
    pollfd watched[] = {{output_->full() ? -1 : input_, POLLIN, 0},
                        {wake_, POLLIN, 0},
                        {output_->descriptor(), 0, 0}};
    if (::poll(watched, 3, -1) < 0) {
      if (errno == EINTR) continue;
      return End::Input;
    }
    if (watched[1].revents != 0) {
      std::uint64_t times = 0;
      [[maybe_unused]] const ssize_t read = ::read(wake_, &times, sizeof times);
      if (stopping_) return End::Stopped;
      if (output_->closed()) return End::OutputClosed;
      continue;
    }
    if ((watched[2].revents & (POLLERR | POLLNVAL)) != 0) return End::OutputClosed;
    if (watched[0].revents == 0) continue;
    char *const space = lines.space();
    const ssize_t got = ::read(input_, space, lines.spaceSize());
    if (got < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return End::Input;
    }
    output_->hold();
    log::hold();
    if (got == 0)
      lines.finish();
    else
      lines.took(static_cast<std::size_t>(got));
    output_->release();
    log::release();
    if (handler.handled) handler.handled();
    if (got == 0) return End::Input;
  }
}

} // namespace skillhost
