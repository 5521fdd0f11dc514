// SPDX-License-Identifier: Apache-2.0
// The changes in the skills of one source at one moment, for people who ask for them.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct Skill;
struct SourceSkills;

struct SkillChanges {
  // Ids of skills, "<source>/<path>", sorted by path: the first of them, and the number of all.
  struct Ids {
    static constexpr std::size_t most = 50;
    std::size_t count = 0;
    std::vector<std::string> first;

    void add(const std::string &id) {
      if (++count <= most) first.push_back(id);
    }
  };

  std::chrono::system_clock::time_point at;
  std::string revisionBefore, revision; // of the source
  Ids added, changed, removed;          // changed: some of its files differ

  bool empty() const noexcept {
    return added.count == 0 && changed.count == 0 && removed.count == 0;
  }
};

// True if SKILL.md has other bytes, another file has another revision, or the list of files
// differs. A SKILL.md that was only touched is the same.
bool hasChanged(const Skill &before, const Skill &now);
// Compares every skill that both have.
SkillChanges changesBetween(const SourceSkills &before, const SourceSkills &now);

// The state of one source that is followed.
struct FollowedSource {
  using Time = std::chrono::system_clock::time_point;
  std::string name;
  std::optional<Time> lastRefresh;  // the end of the last refresh
  std::optional<Time> lastSuccess;  // the end of the last one that succeeded
  std::optional<Time> next;         // the time when it will be asked again, if that is set
  std::deque<SkillChanges> changes; // the last ones since the start, the oldest first
};

} // namespace skillhost
