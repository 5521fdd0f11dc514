// SPDX-License-Identifier: Apache-2.0
// Remembers sessions that ended before their ids were too old, so that their ids are refused until
// then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skillhost {

// Any thread. Times are Unix seconds.
class EndedSessions {
public:
  // Remembers at most `maxSessions` sessions. If there are more, the sessions whose ids expire
  // first are forgotten.
  explicit EndedSessions(std::size_t maxSessions = 65'536) : maxSessions_(maxSessions) {}

  // Returns true if one more session of `share` may be ended here. Everything that was ended stays
  // in memory and in the engine until its ids are too old, so one share may have an eighth of it.
  bool hasRoom(const std::string &share, std::int64_t now);
  // Remembers the session `name` until `until`, when its ids are too old. `share` is the share that
  // ended it; it is empty if another replica reported the end.
  void add(const std::string &name, std::int64_t until, std::int64_t now,
           const std::string &share = {});
  bool contains(const std::string &name) const;
  // Returns true if the session `name`, whose ids are too old at `until`, has ended, or if it may
  // be one of those that were forgotten early because there was no room.
  bool mayContain(const std::string &name, std::int64_t until) const;
  struct Ended {
    std::string name;
    std::int64_t until = 0;
  };
  std::vector<Ended> all() const;

private:
  using Shares = std::map<std::string, std::size_t>;
  struct Entry {
    std::int64_t until = 0;
    Shares::iterator share; // the end of the map if there is none
  };
  // The caller of these functions holds the lock.
  void dropOld(std::int64_t now);
  void dropFirst();

  const std::size_t maxSessions_;
  mutable std::mutex mutex_;
  // Number of remembered sessions of each share; never 0.
  Shares shares_;
  std::unordered_map<std::string, Entry> entries_; // by name
  // The same sessions in the order in which they are dropped.
  std::set<std::pair<std::int64_t, std::string>> order_;
  std::int64_t forgotten_ = 0; // latest expiry of the sessions that were dropped too early
};

} // namespace skillhost
