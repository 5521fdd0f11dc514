// SPDX-License-Identifier: Apache-2.0
// Lines of the log that wait for the thread that sends them. The queue is bounded and nobody waits
// for room.
#pragma once

#include "base/log_export.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace skillhost::telemetry {

struct Line {
  std::int64_t endedAt = 0; // nanoseconds since 1970-01-01 UTC
  LogLevel level = LogLevel::Info;
  std::string part, text, members;
  bool isLogged = true;

  std::size_t bytes() const noexcept {
    return sizeof(Line) + part.size() + text.size() + members.size();
  }
};

// Any thread.
class LineQueue {
public:
  static constexpr std::size_t maxBytes = 8U << 20U, maxBatchLines = 512; // lines
  using Clock = std::chrono::steady_clock;

  // Returns false if the queue is full and the line is lost.
  bool add(const log::ExportedLine &line);
  // Waits until `until`, but no longer than `together` after the first line has arrived, and not if
  // there is a whole batch or the queue has ended. If `together` is 0, it does not wait for further
  // lines.
  void waitFor(Clock::time_point until, std::chrono::milliseconds together);
  // Waits until `until` or the end.
  void waitUntil(Clock::time_point until);
  std::vector<Line> take(); // returns at most one batch, in order
  bool empty() const;
  void end();
  bool ended() const;

private:
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Line> lines_;
  Clock::time_point first_{}; // arrival of the first waiting line
  std::size_t bytes_ = 0;
  bool ended_ = false;
};

} // namespace skillhost::telemetry
