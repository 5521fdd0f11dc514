// SPDX-License-Identifier: Apache-2.0
#include "line_queue.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::telemetry {

bool LineQueue::add(const log::ExportedLine &line) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Line copy{std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
            line.level,
            std::string(line.part),
            std::string(line.text),
            std::string(line.members),
            line.isLogged};
  bool isDue = false;
  {
    const std::scoped_lock lock(mutex_);
    if (ended_ || bytes_ + copy.bytes() > maxBytes) return false;
    if (lines_.empty()) first_ = Clock::now();
    bytes_ += copy.bytes();
    lines_.push_back(std::move(copy));
    isDue = lines_.size() == 1 || lines_.size() == maxBatchLines;
  }
  if (isDue) wake_.notify_one();
  return true;
}

void LineQueue::waitFor(Clock::time_point until, std::chrono::milliseconds together) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, until, [this] { return ended_ || !lines_.empty(); });
  if (ended_ || lines_.empty()) return;
  wake_.wait_until(lock, std::min(until, first_ + together),
                   [this] { return ended_ || lines_.size() >= maxBatchLines; });
}

void LineQueue::waitUntil(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, until, [this] { return ended_; });
}

std::vector<Line> LineQueue::take() {
  const std::scoped_lock lock(mutex_);
  const auto count = std::min(lines_.size(), maxBatchLines);
  const auto end = lines_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Line> batch(std::make_move_iterator(lines_.begin()), std::make_move_iterator(end));
  lines_.erase(lines_.begin(), end);
  for (const Line &line : batch) bytes_ -= line.bytes();
  first_ = Clock::now();
  return batch;
}

bool LineQueue::empty() const {
  const std::scoped_lock lock(mutex_);
  return lines_.empty();
}

void LineQueue::end() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
}

bool LineQueue::ended() const {
  const std::scoped_lock lock(mutex_);
  return ended_;
}

} // namespace skillhost::telemetry
