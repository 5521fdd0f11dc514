// SPDX-License-Identifier: Apache-2.0
// Knows the skills that change faster than they can be read.
#pragma once

#include "ground/deadline.hpp"

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace skillhost::git {

// A skill is restless if its files had changed three times since they were listed when they were to
// be read, within `span`. It counts as restless until this span ends. Any thread.
class RestlessSkills {
public:
  explicit RestlessSkills(std::chrono::milliseconds span = std::chrono::seconds(30))
      : span_(span) {}

  // Notes that the files of a skill had changed. Returns true if the skill is restless now.
  bool noteStale(const std::string &id) {
    const std::lock_guard lock(mutex_);
    std::erase_if(times_, [](const auto &one) { return one.second.end.passed(); });
    if (times_.size() >= maxKnown && !times_.contains(id)) times_.clear();
    const auto [times, isNew] = times_.try_emplace(id, Times{Deadline::after(span_), 0});
    return ++times->second.count >= enough;
  }
  bool contains(const std::string &id) const {
    const std::lock_guard lock(mutex_);
    const auto found = times_.find(id);
    return found != times_.end() && found->second.count >= enough && !found->second.end.passed();
  }

private:
  static constexpr std::size_t maxKnown = 10'000;
  static constexpr int enough = 3;
  struct Times {
    Deadline end;
    int count;
  };

  const std::chrono::milliseconds span_;
  mutable std::mutex mutex_; // guards the member below
  std::unordered_map<std::string, Times> times_;
};

} // namespace skillhost::git
