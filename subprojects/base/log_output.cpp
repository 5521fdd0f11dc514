// SPDX-License-Identifier: Apache-2.0
#include "log_output.hpp"

#include "base/metrics.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <exception>
#include <system_error>
#include <utility>

namespace skillhost::log {
namespace {

// A pipe that is ready takes this much without waiting. A terminal promises nothing, but gets few
// lines.
constexpr std::size_t maxPipeWriteBytes = PIPE_BUF, maxTerminalWriteBytes = 256;
// At this size, lines are written without waiting for flush().
constexpr std::size_t many = 16U << 10U;

// An error counts as ready, because write() then reports it.
bool isReady(int descriptor, int milliseconds) {
  pollfd one{descriptor, POLLOUT, 0};
  int ready = ::poll(&one, 1, milliseconds);
  while (ready < 0 && errno == EINTR) ready = ::poll(&one, 1, milliseconds);
  return ready != 0;
}

// Returns true if a pipe holds more than half of its usual capacity. Another process could then
// fill the rest between this check and a write.
bool isCrowded(int descriptor) {
  constexpr int half = 32 << 10;
  int bytes = 0;
  return ::ioctl(descriptor, FIONREAD, &bytes) == 0 && bytes > half;
}

// Returns at most `maxBytes` bytes from the start, as whole lines if possible, because another
// process may write to the same descriptor.
std::string_view firstOf(std::string_view lines, std::size_t maxBytes) {
  if (lines.size() <= maxBytes) return lines;
  const std::size_t end = lines.rfind('\n', maxBytes - 1);
  return lines.substr(0, end == std::string_view::npos ? maxBytes : end + 1);
}

} // namespace

LogOutput::LogOutput(int descriptor, std::size_t maxBytes, std::function<void(std::uint64_t)> tell)
    : descriptor_(descriptor), maxBytes_(maxBytes), tell_(std::move(tell)) {}

LogOutput::~LogOutput() {
  {
    const Lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void LogOutput::append(std::string_view lines) {
  Lock lock(mutex_);
  if (waiting_.size() + underWay_ + lines.size() > maxBytes_) return dropLines(lines);
  waiting_ += lines;
  if (waiting_.size() >= many && !congested_) writeReady(lock);
}

void LogOutput::flush() {
  Lock lock(mutex_);
  if (!congested_) writeReady(lock);
}

bool LogOutput::finish(std::chrono::milliseconds span) {
  flush();
  Lock lock(mutex_);
  return written_.wait_for(lock, span, [this] { return waiting_.empty() && underWay_ == 0; });
}

void LogOutput::writeReady(Lock &lock) {
  std::string_view left = waiting_;
  while (!left.empty()) {
    std::string_view next = left;
    if (kind() != Kind::File) {
      if (!isReady(descriptor_, 0) || (kind_ == Kind::Pipe && isCrowded(descriptor_))) break;
      next = firstOf(left, kind_ == Kind::Terminal ? maxTerminalWriteBytes : maxPipeWriteBytes);
    }
    const ssize_t done = ::write(descriptor_, next.data(), next.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) break; // another process made the descriptor non-blocking
    failing_ = done <= 0;
    if (failing_)
      dropLines(std::exchange(left, {}));
    else
      left.remove_prefix(static_cast<std::size_t>(done));
  }
  waiting_.erase(0, waiting_.size() - left.size());
  if (!waiting_.empty())
    beginThread();
  else
    reportLost(lock);
}

void LogOutput::beginThread() {
  try {
    if (!thread_.joinable())
      thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "log");
        sigset_t all;
        ::sigfillset(&all); // other threads handle signals; write() reports a pipe without a reader
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        work();
      });
  } catch (const std::exception &) {
    return; // no thread or no memory: the next flush() tries again
  }
  congested_ = true;
  wake_.notify_one();
}

void LogOutput::work() {
  for (Lock lock(mutex_);;) {
    wake_.wait(lock, [this] { return congested_ || ending_; });
    if (!congested_) return;
    const std::string lines = std::exchange(waiting_, {});
    underWay_ = lines.size();
    lock.unlock();
    const bool done = writeAll(lines);
    lock.lock();
    underWay_ = 0;
    failing_ = !done;
    congested_ = !waiting_.empty();
    if (congested_) continue;
    written_.notify_all();
    reportLost(lock);
    if (!lock.owns_lock()) lock.lock();
  }
}

bool LogOutput::writeAll(std::string_view lines) {
  while (!lines.empty()) {
    const ssize_t done = ::write(descriptor_, lines.data(), lines.size());
    if (done > 0) {
      lines.remove_prefix(static_cast<std::size_t>(done));
    } else if (done < 0 && errno == EAGAIN) {
      isReady(descriptor_, -1);
    } else if (done == 0 || errno != EINTR) {
      const Lock lock(mutex_);
      dropLines(lines);
      return false;
    }
  }
  return true;
}

void LogOutput::dropLines(std::string_view lines) {
  static metrics::Counter &counter = metrics::all().counter({"skillhost_log_lines_lost_total", {}});
  const auto count = static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
  lost_ += count;
  counter.add(static_cast<double>(count));
}

void LogOutput::reportLost(Lock &lock) {
  if (lost_ == 0 || failing_) return;
  const std::uint64_t count = std::exchange(lost_, 0);
  lock.unlock();
  try {
    tell_(count);
  } catch (const std::exception &) {
    return; // out of memory: the counter has the number
  }
}

LogOutput::Kind LogOutput::kind() {
  struct stat info{};
  if (kind_ != Kind::Unknown || ::fstat(descriptor_, &info) != 0) return kind_;
  if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))
    kind_ = Kind::Pipe;
  else
    kind_ = ::isatty(descriptor_) != 0 ? Kind::Terminal : Kind::File;
  return kind_;
}

} // namespace skillhost::log
