// SPDX-License-Identifier: Apache-2.0
#include "merge_policy.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace skillhost::keyword {
namespace {

// Least number of segments of a class that are merged.
constexpr std::size_t atLeast = 4;
constexpr std::size_t atMost = 10; // greatest number merged at once
// A quarter of dead entries makes a segment worth rewriting.
constexpr std::size_t removedShare = 4;
constexpr std::size_t halfFull =
    maxSegmentEntries / 2; // a larger segment is not merged with others

std::size_t alive(const SegmentView &view) {
  return view.segment->size() - view.removed->entries().size();
}

// Each class holds segments four times as large as the class before.
std::size_t classOf(std::size_t entries) {
  constexpr int smallest = 6; // bits: the first class has up to 127 entries
  return static_cast<std::size_t>(
      std::max(0, static_cast<int>(std::bit_width(entries)) - smallest) / 2);
}

} // namespace

std::vector<std::size_t> segmentsToMerge(const std::vector<SegmentView> &segments) {
  std::map<std::size_t, std::vector<std::size_t>> classes; // sorted by class, the smallest first
  for (std::size_t number = 0; number < segments.size(); ++number)
    if (alive(segments[number]) < halfFull)
      classes[classOf(alive(segments[number]))].push_back(number);
  for (auto &[size, numbers] : classes) {
    if (numbers.size() < atLeast) continue;
    std::sort(numbers.begin(), numbers.end(), [&](std::size_t left, std::size_t right) {
      return alive(segments[left]) < alive(segments[right]);
    });
    std::vector<std::size_t> chosen;
    std::size_t entries = 0;
    std::size_t bytes = 0;
    for (const std::size_t number : numbers) {
      entries += alive(segments[number]);
      bytes += segments[number].segment->bytes();
      if (entries > maxSegmentEntries || bytes > maxSegmentBytes || chosen.size() == atMost) break;
      chosen.push_back(number);
    }
    if (chosen.size() > 1) return chosen;
  }
  for (std::size_t number = 0; number < segments.size(); ++number)
    if (segments[number].removed->entries().size() * removedShare >
        segments[number].segment->size())
      return {number};
  return {};
}

} // namespace skillhost::keyword
