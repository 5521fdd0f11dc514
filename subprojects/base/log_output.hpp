// SPDX-License-Identifier: Apache-2.0
// Writes the log's lines to a descriptor without ever waiting for its reader. May be used on any
// thread.
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

// The caller of flush() writes as much as the descriptor takes at once. If it takes nothing, lines
// are kept up to a limit, and a thread that is started for it writes them. Lines above the limit
// are lost and counted. The flags of the descriptor stay unchanged, because other processes may
// share it.
class LogOutput {
public:
  // After n lines were lost and a line was written again, `tell(n)` is called without a lock, on
  // any thread. `maxBytes` is in bytes. The caller keeps the ownership of the descriptor.
  LogOutput(int descriptor, std::size_t maxBytes, std::function<void(std::uint64_t)> tell);
  // Waits for a write that is under way, but not for an output that nobody reads.
  ~LogOutput();
  LogOutput(const LogOutput &) = delete;
  LogOutput &operator=(const LogOutput &) = delete;

  // Adds whole lines with their line ends. The next flush() writes them, or append() itself when
  // they are many.
  void append(std::string_view lines);
  void flush();
  // Waits for at most `span` until everything is written. Returns true if it is.
  bool finish(std::chrono::milliseconds span);

private:
  using Lock = std::unique_lock<std::mutex>;
  enum class Kind : std::uint8_t { Unknown, File, Pipe, Terminal };

  void writeReady(Lock &lock);
  void beginThread();
  void work();
  bool writeAll(std::string_view lines); // blocks
  void dropLines(std::string_view lines);
  void reportLost(Lock &lock);
  Kind kind();

  const int descriptor_;
  const std::size_t maxBytes_;
  const std::function<void(std::uint64_t)> tell_;

  std::mutex mutex_; // protects the members below, except the thread
  std::condition_variable wake_, written_;
  std::string waiting_;
  std::size_t underWay_ = 0; // bytes that the thread is writing
  std::uint64_t lost_ = 0;
  Kind kind_ = Kind::Unknown;
  bool failing_ = false;   // the last write failed
  bool congested_ = false; // only the thread writes
  bool ending_ = false;
  std::thread thread_;
};

} // namespace skillhost::log
