// SPDX-License-Identifier: Apache-2.0
// What became of the skills of one source at one moment, for people who ask what has changed.
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
  // Ids of skills, "<source>/<path>", sorted by path: the first of them, and how many there are.
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
  Ids added, changed, removed;          // changed: another byte in any of its files

  bool empty() const noexcept {
    return added.count == 0 && changed.count == 0 && removed.count == 0;
  }
};

// True when another byte is in SKILL.md, or when another file has another revision. A SKILL.md that
// was only touched is the same.
bool hasChanged(const Skill &before, const Skill &now);
// Costs a look at each skill that both have.
SkillChanges changesBetween(const SourceSkills &before, const SourceSkills &now);

// How one source is followed.
struct FollowedSource {
  using Time = std::chrono::system_clock::time_point;
  std::string name;
  std::optional<Time> looked;       // the end of the last refresh
  std::optional<Time> answered;     // of the last that went well
  std::optional<Time> next;         // when it will be asked again, as far as that is set
  std::deque<SkillChanges> changes; // the last ones since the start, the oldest first
};

} // namespace skillhost
