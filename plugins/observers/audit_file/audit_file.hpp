// SPDX-License-Identifier: Apache-2.0
// Keeps the records of the audit in a file, one JSON object on each line. Lines wait in a bounded
// queue for a thread that only writes.
#pragma once

#include "base/metrics.hpp"
#include "ground/descriptor.hpp"
#include "plugin/observer.hpp"

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

struct AuditFileRules {
  // Lines of refusals and ends, which strangers can cause in any number, that may wait for the
  // file. Other lines have twice the room.
  std::size_t waiting = 4'096;
  std::chrono::milliseconds end{1'000}; // time for writing the remaining lines at the end
};

// Any thread.
class AuditFile final : public Observer {
public:
  // `path` is absolute; the file is appended to and has mode 0600. Throws std::system_error if it
  // cannot be opened or no thread can be started.
  explicit AuditFile(std::string path, AuditFileRules rules = {});
  ~AuditFile() override; // writes the waiting lines, for at most rules.end

  // Lines without room are lost, those of refusals and ends first, and counted
  // (skillhost_audit_lines_lost_total). The log reports this once. When the file takes lines again,
  // one line of it states the number (event "lost").
  void auditRecord(const AuditRecord &record) noexcept override;
  void filesMoved() noexcept override { mustReopen_ = true; }
  ObserverState state(EventMask events) const override;
  // Waits until all recorded lines are in the file. Returns false if they are not after `span`.
  bool flush(std::chrono::milliseconds span);

private:
  using Lock = std::unique_lock<std::mutex>;
  bool append(const AuditRecord &record); // false if it is the first line that is lost
  void work();
  std::string takeNext();              // the caller holds the lock, and there is a line
  bool write(const std::string &line); // false if it is given up at the end
  bool mayRetry(int fault);            // waits for a time that may help
  bool reopen();

  const std::string path_;
  const AuditFileRules rules_;
  std::atomic<bool> mustReopen_{false};
  Descriptor file_;                  // used by the thread while it runs
  std::atomic<bool> failing_{false}; // the last write failed
  metrics::Counter &allLost_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, written_;
  std::deque<std::string> lines_;
  std::size_t lost_ = 0;        // since the last line with the number
  std::uint64_t totalLost_ = 0; // since the start
  bool writing_ = false, ending_ = false;
  std::chrono::steady_clock::time_point endAt_;
  std::thread thread_; // last, because it uses the other members
};

} // namespace skillhost
