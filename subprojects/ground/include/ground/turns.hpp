// SPDX-License-Identifier: Apache-2.0
// A fair queue: each owner's items are in order, and the owners take turns, so that one owner's
// many items do not delay the others.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

// Not thread-safe.
template <class Item> class Turns {
public:
  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  std::size_t sizeOf(std::string_view whose) const {
    const auto own = lines_.find(whose);
    return own == lines_.end() ? 0 : own->second.size();
  }

  void add(std::string_view whose, Item item) {
    auto own = lines_.find(whose);
    const bool isNew = own == lines_.end();
    if (isNew) own = lines_.try_emplace(std::string(whose)).first;
    try {
      own->second.push_back(std::move(item));
      if (isNew) turns_.push_back(own);
    } catch (...) { // out of memory: an empty line, or one without a turn, would never be taken
      if (isNew) lines_.erase(own);
      throw;
    }
    ++size_;
  }

  // Takes the next item of an owner that `may` accepts. The others keep their place.
  template <class May> std::optional<Item> take(May &&may) {
    for (auto turn = turns_.begin(); turn != turns_.end(); ++turn) {
      const auto own = *turn;
      if (!may(own->first)) continue;
      std::optional<Item> item(std::move(own->second.front()));
      own->second.pop_front();
      --size_;
      if (own->second.empty()) {
        lines_.erase(own);
        turns_.erase(turn);
      } else {
        turns_.splice(turns_.end(), turns_, turn);
      }
      return item;
    }
    return std::nullopt;
  }
  std::optional<Item> take() {
    return take([](const std::string &) { return true; });
  }
  // Returns true if take(may) would find an item.
  template <class May> bool has(May &&may) const {
    for (const auto &own : turns_)
      if (may(own->first)) return true;
    return false;
  }

  template <class Function> void each(Function &&function) const {
    for (const auto &[whose, items] : lines_)
      for (const Item &item : items) function(item);
  }
  // Takes all items for which `is` returns true, out of turn.
  template <class Is> std::vector<Item> takeAll(Is &&is) {
    std::vector<Item> found;
    found.reserve(size_); // all or none if there is no memory
    for (auto turn = turns_.begin(); turn != turns_.end();) {
      std::list<Item> &items = (*turn)->second;
      for (auto item = items.begin(); item != items.end();) {
        if (!is(std::as_const(*item))) {
          ++item;
          continue;
        }
        found.push_back(std::move(*item));
        item = items.erase(item);
        --size_;
      }
      if (items.empty()) {
        lines_.erase(*turn);
        turn = turns_.erase(turn);
      } else {
        ++turn;
      }
    }
    return found;
  }

private:
  using Lines = std::map<std::string, std::list<Item>, std::less<>>; // no list is empty

  Lines lines_;
  std::list<typename Lines::iterator> turns_; // each of the lines once
  std::size_t size_ = 0;
};

} // namespace skillhost
