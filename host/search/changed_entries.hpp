// SPDX-License-Identifier: Apache-2.0
// Records which entries the updates of an index change while queries run. A query cannot know which
// revision of such an entry the backend found, so its hit names none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace skillhost {

// Must be used by one thread at a time. Each update is committed at once, and the updates are
// numbered as they begin.
class ChangedEntries {
public:
  void updateBegins(std::uint64_t number, std::unordered_set<std::string> ids) {
    updates_.push_back({number, std::move(ids)});
  }
  // True if the update with this number or a later one changes the entry.
  bool since(std::uint64_t number, const std::string &id) const {
    return std::any_of(updates_.begin(), updates_.end(), [&](const Update &update) {
      return update.number >= number && update.ids.contains(id);
    });
  }
  void queryBegins() noexcept { ++queries_; }
  void queryEnds(std::uint64_t ended) {
    --queries_;
    forget(ended);
  }
  // The updates up to number `ended` have ended. Forgets them, unless a query still runs that may
  // ask.
  void forget(std::uint64_t ended) {
    if (queries_ == 0)
      std::erase_if(updates_, [&](const Update &update) { return update.number <= ended; });
  }

private:
  struct Update {
    std::uint64_t number = 0;
    std::unordered_set<std::string> ids;
  };
  std::vector<Update> updates_;
  std::size_t queries_ = 0; // queries that run now
};

} // namespace skillhost
