// SPDX-License-Identifier: Apache-2.0
// The log's lines on their way to a descriptor, without ever waiting for who reads it. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace skillhost::log {

// What the descriptor takes at once is written by the caller of flush(). When it takes nothing,
// lines are kept, up to a bound, and written by a thread that is begun for it; what is beyond is
// lost and counted. No flag of the descriptor is changed: other processes may have it too.
class LogOutput {
public:
  // `tell(n)` is called without a lock, on any thread, once a line was written after n were lost.
  // `most` is in bytes. The descriptor is the caller's.
  LogOutput(int descriptor, std::size_t most, std::function<void(std::uint64_t)> tell);
  // Waits for a write that is under way: not for an output that nobody reads.
  ~LogOutput();
  LogOutput(const LogOutput &) = delete;
  LogOutput &operator=(const LogOutput &) = delete;

  // Whole lines, each with its end. They are written by the next flush(), or when they are many.
  void append(std::string_view lines);
  void flush();
  // Waits until all is written, at most so long; true when it is.
  bool finish(std::chrono::milliseconds span);

private:
  using Lock = std::unique_lock<std::mutex>;
  enum class Kind : std::uint8_t { Unknown, File, Pipe, Terminal };

  void writeReady(Lock &lock);
  void beginThread();
  void work();
  bool writeAll(std::string_view lines); // waits
  void lose(std::string_view lines);
  void tellLost(Lock &lock);
  Kind kind();

  const int descriptor_;
  const std::size_t most_;
  const std::function<void(std::uint64_t)> tell_;

  std::mutex mutex_; // all below, but for the thread
  std::condition_variable wake_, written_;
  std::string waiting_;
  std::size_t underWay_ = 0; // bytes that the thread is writing
  std::uint64_t lost_ = 0;
  Kind kind_ = Kind::Unknown;
  bool failing_ = false;   // the last write was refused
  bool congested_ = false; // the thread writes, and nobody else
  bool ending_ = false;
  std::thread thread_;
};

} // namespace skillhost::log
