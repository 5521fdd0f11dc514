// SPDX-License-Identifier: Apache-2.0
// The file of the audit: lines wait in a bounded queue for a thread that does nothing but write.
#pragma once

#include "access/audit.hpp"
#include "base/metrics.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace skillhost {

// Any thread.
class AuditFile {
public:
  enum class Keep { IfThereIsRoom, Longer };

  // Throws std::system_error when it cannot be opened, or no thread can be started.
  AuditFile(std::string path, std::size_t most, std::chrono::milliseconds atEnd);
  ~AuditFile(); // writes what waits, as long as that takes no more than `atEnd`
  AuditFile(const AuditFile &) = delete;
  AuditFile &operator=(const AuditFile &) = delete;

  // `members`: of a JSON object, without the time. A line that finds `most` others waiting is
  // lost, and counted; one that is to be kept longer, when it finds twice as many. Never waits.
  void append(const std::string &members, Keep keep);
  void reopen() noexcept { moved_ = true; } // safe in a signal handler
  bool flush(std::chrono::milliseconds span);
  AuditState state() const;

private:
  using Lock = std::unique_lock<std::mutex>;
  void work();
  std::string takeNext();              // under the lock; there is one
  bool write(const std::string &line); // false: it is given up in the end
  bool mayRetry(int fault);            // waits for what might help
  bool openAnew();

  const std::string path_;
  const std::size_t most_;
  const std::chrono::milliseconds atEnd_;
  std::atomic<bool> moved_{false};
  int descriptor_ = -1;              // of the thread, as long as it runs
  std::atomic<bool> failing_{false}; // the last write did
  metrics::Counter &allLost_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, written_;
  std::deque<std::string> lines_;
  std::size_t lost_ = 0;        // since the last line that told
  std::uint64_t lostInAll_ = 0; // since the start
  bool writing_ = false, ending_ = false;
  std::chrono::steady_clock::time_point endAt_;
  std::thread thread_; // last: it uses the rest
};

} // namespace skillhost
