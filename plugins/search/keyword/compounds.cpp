// SPDX-License-Identifier: Apache-2.0
#include "compounds.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace skillhost::keyword {
namespace {

constexpr std::size_t shortestCompound = 7;
constexpr std::size_t longestCompound = 40;
constexpr std::size_t shortestPart = 3;
constexpr double leastCovered = 0.55; // of the letters, by known words

// Few long parts are better than many short ones; a letter of no known word is worst.
constexpr double costOfPart(std::size_t letters) noexcept {
  return letters == shortestPart ? 1.5 : 1;
}
constexpr double costOfLetter = 1.2;

} // namespace

bool maybeCompound(std::string_view word) noexcept {
  return word.size() >= shortestCompound && word.size() <= longestCompound;
}

void Vocabulary::add(std::string_view word) {
  if (word.size() < shortestPart) return;
  forgetUnused();
  const std::uint32_t number = words_.number(word);
  if (number >= counts_.size()) {
    counts_.resize(words_.size());
    ++unused_;
  }
  if (++counts_[number] > 1) return;
  --unused_;
  ++version_;
}

void Vocabulary::remove(std::string_view word) {
  const auto found = words_.find(word);
  if (!found || counts_[*found] == 0) return;
  --counts_[*found];
  if (counts_[*found] > 0) return;
  ++unused_;
  ++version_;
}

void Vocabulary::forgetUnused() {
  constexpr std::size_t tolerated = 1000;
  if (unused_ <= words_.size() / 2 + tolerated) return;
  TermTable words;
  std::vector<std::uint32_t> counts;
  for (std::uint32_t number = 0; number < counts_.size(); ++number) {
    if (counts_[number] == 0) continue;
    words.number(words_.term(number));
    counts.push_back(counts_[number]);
  }
  words_ = std::move(words);
  counts_ = std::move(counts);
  unused_ = 0;
}

std::vector<std::string> Vocabulary::split(std::string_view word) const {
  if (!maybeCompound(word)) return {};
  struct Step {
    double cost = std::numeric_limits<double>::infinity();
    std::size_t from = 0;
    bool known = false;
  };
  std::array<Step, longestCompound + 1> best;
  best[0].cost = 0;
  for (std::size_t from = 0; from < word.size(); ++from) {
    const auto offer = [&](std::size_t to, double cost, bool known) {
      if (best[from].cost + cost < best[to].cost) best[to] = {best[from].cost + cost, from, known};
    };
    offer(from + 1, costOfLetter, false);
    for (std::size_t to = from + shortestPart; to <= word.size(); ++to) {
      const std::size_t letters = to - from;
      if (letters < word.size() && knows(word.substr(from, letters)))
        offer(to, costOfPart(letters), true);
    }
  }
  std::vector<std::string> parts;
  std::size_t covered = 0;
  for (std::size_t to = word.size(); to > 0; to = best[to].from) {
    if (!best[to].known) continue;
    parts.emplace_back(word.substr(best[to].from, to - best[to].from));
    covered += parts.back().size();
  }
  if (static_cast<double>(covered) < leastCovered * static_cast<double>(word.size())) return {};
  std::reverse(parts.begin(), parts.end());
  return parts;
}

} // namespace skillhost::keyword
