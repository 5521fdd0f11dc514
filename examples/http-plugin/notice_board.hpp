// SPDX-License-Identifier: Apache-2.0
// The newest notices of a team, in memory. Any thread.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>

class NoticeBoard {
public:
  explicit NoticeBoard(std::size_t most) : maxNotices_(most) {}

  // Adds a notice, and drops the oldest one if there are too many.
  void add(const std::string &author, const std::string &text);
  // Returns all notices, the newest first, one a line.
  std::string text() const;

private:
  const std::size_t maxNotices_;
  mutable std::mutex mutex_; // guards the notices
  std::deque<std::string> lines_;
};
