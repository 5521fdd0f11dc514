// SPDX-License-Identifier: Apache-2.0
#include "literal_search.hpp"

#include <algorithm>

namespace skillhost {

LiteralSearch::LiteralSearch(const std::vector<Word> &words) {
  for (const auto &[word, owner] : words)
    for (const char c : word) {
      std::uint8_t &known = class_[static_cast<unsigned char>(c)];
      if (known == 0) known = static_cast<std::uint8_t>(classes_++);
    }
  for (std::size_t c = 'a'; c <= 'z'; ++c) class_[c - 0x20] = class_[c];

  // First build a tree of the words. 0 means no child, because nothing leads back to the start.
  std::vector<std::vector<std::uint16_t>> owners(1);
  next_.assign(classes_, 0);
  for (const auto &[word, owner] : words) {
    std::size_t state = start;
    for (const char c : word) {
      const std::size_t edge = state * classes_ + class_[static_cast<unsigned char>(c)];
      if (next_[edge] == 0) {
        next_[edge] = static_cast<State>(owners.size());
        owners.emplace_back();
        next_.resize(owners.size() * classes_, 0);
      }
      state = next_[edge];
    }
    owners[state].push_back(owner);
  }

  // Then compute, by depth, the state after a mismatch: the longest beginning of a word that still
  // fits.
  std::vector<State> fallback(owners.size(), start);
  std::vector<State> queue;
  queue.reserve(owners.size());
  for (std::size_t c = 0; c < classes_; ++c)
    if (next_[c] != 0) queue.push_back(next_[c]);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const State state = queue[i];
    const std::vector<std::uint16_t> &more = owners[fallback[state]];
    owners[state].insert(owners[state].end(), more.begin(), more.end());
    for (std::size_t c = 0; c < classes_; ++c) {
      State &to = next_[state * classes_ + c];
      const State otherwise = next_[fallback[state] * classes_ + c];
      if (to == 0) {
        to = otherwise;
        continue;
      }
      fallback[to] = otherwise;
      queue.push_back(to);
    }
  }

  for (std::vector<std::uint16_t> &each : owners) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
    first_.push_back(static_cast<std::uint32_t>(owners_.size()));
    owners_.insert(owners_.end(), each.begin(), each.end());
  }
  first_.push_back(static_cast<std::uint32_t>(owners_.size()));
}

} // namespace skillhost
