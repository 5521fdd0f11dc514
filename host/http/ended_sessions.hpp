// SPDX-License-Identifier: Apache-2.0
// The sessions that have ended before their ids are too old: their ids are refused until then.
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
  // Remembers so many; of more, those whose ids are too old first are forgotten.
  explicit EndedSessions(std::size_t most = 65'536) : most_(most) {}

  // Returns true if one more session of `share` may be ended here. Everything that was ended stays
  // in memory and in the engine until its ids are too old, so one share may have an eighth of it.
  bool hasRoom(const std::string &share, std::int64_t now);
  // The ids of that session are too old at `until`. `share` is the one that has ended it; it is
  // empty if another replica has told of the end.
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
    Shares::iterator share; // the end: none
  };
  // These under the lock.
  void dropOld(std::int64_t now);
  void dropFirst();

  const std::size_t most_;
  mutable std::mutex mutex_;
  Shares shares_;                                        // how many of each are remembered; never 0
  std::unordered_map<std::string, Entry> entries_;       // by name
  std::set<std::pair<std::int64_t, std::string>> order_; // the same, the first to go first
  std::int64_t forgotten_ = 0; // the last time of those that were forgotten too early
};

} // namespace skillhost
