// SPDX-License-Identifier: Apache-2.0
// Which entries the updates of an index change while queries run: of those a query cannot tell
// which revision it has found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace skillhost {

// One thread at a time. Updates, each committed at once, are numbered as they begin.
class ChangedEntries {
public:
  void updateBegins(std::uint64_t number, std::unordered_set<std::string> ids) {
    updates_.push_back({number, std::move(ids)});
  }
  // Has an update from that number on changed the entry?
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
  // The updates up to number `ended` are over: nobody who asks from now on wants to know of them.
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
  std::size_t queries_ = 0; // that run
};

} // namespace skillhost
