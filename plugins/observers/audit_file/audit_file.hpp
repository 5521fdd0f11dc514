// SPDX-License-Identifier: Apache-2.0
// Keeps the records of the audit in a file, one JSON object a line. Lines wait in a bounded queue
// for a thread that does nothing but write.
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
  // Lines that wait for the file; as many again of what nobody can make in numbers.
  std::size_t waiting = 4'096;
  std::chrono::milliseconds end{1'000}; // how long the file is waited for in the end
};

// Any thread.
class AuditFile final : public Observer {
public:
  // `path`: absolute; appended to, mode 0600. Throws std::system_error when it cannot be opened, or
  // no thread can be started.
  explicit AuditFile(std::string path, AuditFileRules rules = {});
  ~AuditFile() override; // writes what waits, as long as that takes no more than rules.end

  // Lines that find no room are lost, those of refusals and ends first, and counted
  // (skillhost_audit_lines_lost_total). The log says so once, and a line of the file tells the
  // count when it is written again (event "lost").
  void auditRecord(const AuditRecord &record) noexcept override;
  void filesMoved() noexcept override { moved_ = true; }
  ObserverState state(EventMask events) const override;
  // Waits until what was recorded is in the file; false when `span` was too short.
  bool flush(std::chrono::milliseconds span);

private:
  using Lock = std::unique_lock<std::mutex>;
  bool append(const AuditRecord &record); // false: it is the first one that is lost
  void work();
  std::string takeNext();              // under the lock; there is one
  bool write(const std::string &line); // false: it is given up in the end
  bool mayRetry(int fault);            // waits for what might help
  bool openAnew();

  const std::string path_;
  const AuditFileRules rules_;
  std::atomic<bool> moved_{false};
  Descriptor file_;                  // of the thread, as long as it runs
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
