// SPDX-License-Identifier: Apache-2.0
#include "term_vector.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::keyword {
namespace {

// A count is written as the distance of its key (term << 2 | field) from the previous key, shifted
// left by a bit that says whether the count follows. If no count follows, it is 1.
constexpr std::uint64_t keyOf(const TermCount &count) noexcept {
  return std::uint64_t{count.term} << 2U | static_cast<std::uint64_t>(count.field);
}
constexpr std::uint64_t stepOf(const TermCount &count, std::uint64_t previous) noexcept {
  return (keyOf(count) - previous) << 1U | (count.count > 1 ? 1U : 0U);
}

} // namespace

TermVector::TermVector(std::span<const TermCount> counts, const PerField<std::uint32_t> &lengths)
    : lengths_(lengths) {
  std::size_t size = 0;
  std::uint64_t previous = 0;
  for (const TermCount &count : counts) {
    size += packedSize(stepOf(count, previous)) + (count.count > 1 ? 1 : 0);
    previous = keyOf(count);
  }
  bytes_.resize(size);
  std::size_t at = 0;
  previous = 0;
  for (const TermCount &count : counts) {
    pack(bytes_, at, stepOf(count, previous));
    if (count.count > 1) bytes_[at++] = count.count;
    previous = keyOf(count);
  }
}

std::vector<TermCount> TermVector::counts() const {
  std::vector<TermCount> counts;
  TermReader reader(*this);
  while (const auto count = reader.next()) counts.push_back(*count);
  return counts;
}

TermVector TermCounter::take() {
  PerField<std::uint32_t> lengths{};
  counts_.clear();
  std::sort(keys_.begin(), keys_.end());
  for (const std::uint32_t key : keys_) {
    const std::uint32_t times = std::exchange(times_[key], 0);
    const auto field = static_cast<Field>(key & 3U);
    counts_.push_back(
        {key >> 2U, field, static_cast<std::uint8_t>(std::min<std::uint32_t>(times, 255))});
    lengths[indexOf(field)] += times;
  }
  keys_.clear();
  return {counts_, lengths};
}

} // namespace skillhost::keyword
