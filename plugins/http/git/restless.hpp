// SPDX-License-Identifier: Apache-2.0
// Knows the skills that change faster than they can be read.
#pragma once

#include "ground/deadline.hpp"
#include "objects.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace skillhost::git {

// A skill is restless if its files had changed three times since they were listed when they were to
// be read, within `span`. It counts as restless until this span ends. Any thread.
class RestlessSkills {
public:
  explicit RestlessSkills(std::chrono::milliseconds span = std::chrono::seconds(30))
      : span_(span) {}

  // Notes that the files of a skill had changed. Returns true if the skill is restless now. A
  // change that the catalogue knows already counts once, however many clients ask for the `earlier`
  // tree.
  bool noteStale(const std::string &id, const std::optional<ObjectId> &earlier = std::nullopt) {
    const std::lock_guard lock(mutex_);
    std::erase_if(times_, [](const auto &one) { return one.second.end.passed(); });
    if (times_.size() >= maxKnown && !times_.contains(id)) times_.clear();
    Times &times = times_.try_emplace(id, Times{Deadline::after(span_), 0, {}}).first->second;
    std::vector<ObjectId> &known = times.earlier;
    const bool isKnown = earlier && std::find(known.begin(), known.end(), *earlier) != known.end();
    if (!isKnown && times.count < enough) {
      ++times.count;
      if (earlier) known.push_back(*earlier);
    }
    return times.count >= enough;
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
    std::vector<ObjectId> earlier; // trees that were counted
  };

  const std::chrono::milliseconds span_;
  mutable std::mutex mutex_; // guards the member below
  std::unordered_map<std::string, Times> times_;
};

} // namespace skillhost::git
