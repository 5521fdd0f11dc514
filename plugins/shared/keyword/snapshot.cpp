// SPDX-License-Identifier: Apache-2.0
#include "snapshot.hpp"

#include <algorithm>

namespace skillhost::keyword {

void LengthSums::add(const PerField<std::uint32_t> &lengths) noexcept {
  for (std::size_t field = 0; field < fieldCount; ++field) {
    sum[field] += lengths[field];
    filled[field] += lengths[field] > 0 ? 1 : 0;
  }
}

void LengthSums::subtract(const PerField<std::uint32_t> &lengths) noexcept {
  for (std::size_t field = 0; field < fieldCount; ++field) {
    sum[field] -= lengths[field];
    filled[field] -= lengths[field] > 0 ? 1 : 0;
  }
}

PerField<double> LengthSums::averages() const noexcept {
  PerField<double> averages{};
  for (std::size_t field = 0; field < fieldCount; ++field)
    averages[field] = filled[field] > 0
                          ? static_cast<double>(sum[field]) / static_cast<double>(filled[field])
                          : 1;
  return averages;
}

const float *DenseScores::find(Counts counts, bool isWorthMaking, const Make &make) {
  constexpr std::size_t probes = 8;
  for (std::size_t probe = 0; probe < probes; ++probe) {
    Slot &slot = slots_[((counts * 0x9E3779B1U >> 20U) + probe) % slots_.size()];
    Counts there = slot.counts.load(std::memory_order_relaxed);
    if (there == 0 && (!isWorthMaking || slot.counts.compare_exchange_strong(there, counts)))
      there = isWorthMaking ? counts : 0;
    if (there == 0) return nullptr;
    if (there != counts) continue;
    std::call_once(slot.made, [&] { make(slot.scores); });
    return slot.scores.data();
  }
  return nullptr;
}

Snapshot::Snapshot(std::string generation, std::vector<SegmentView> segments,
                   const Statistics &statistics, CompoundParts compounds)
    : generation_(std::move(generation)), segments_(std::move(segments)), statistics_(statistics),
      compounds_(std::move(compounds)),
      dense_(std::make_unique<DenseScores[]>(scoringKinds * segments_.size())) { // NOLINT
  std::size_t places = 0;
  for (const SegmentView &view : segments_) bases_.push_back(places += view.segment->size());
}

std::size_t Snapshot::segmentOf(std::size_t place) const noexcept {
  return static_cast<std::size_t>(std::upper_bound(bases_.begin(), bases_.end(), place) -
                                  bases_.begin());
}

std::string_view Snapshot::id(std::size_t place) const noexcept {
  const std::size_t segment = segmentOf(place);
  return segments_[segment].segment->id(place - base(segment));
}

Entry Snapshot::entry(std::size_t place) const {
  const std::size_t segment = segmentOf(place);
  return segments_[segment].segment->entry(place - base(segment));
}

std::string Snapshot::body(std::size_t place) const {
  const std::size_t segment = segmentOf(place);
  return segments_[segment].segment->bodies.text(static_cast<std::uint32_t>(place - base(segment)));
}

std::optional<std::uint32_t> Snapshot::find(std::string_view id) const noexcept {
  for (std::size_t number = 0; number < segments_.size(); ++number) {
    const auto entry = segments_[number].segment->find(id);
    if (entry && !segments_[number].removed->contains(*entry))
      return static_cast<std::uint32_t>(base(number) + *entry);
  }
  return std::nullopt;
}

SegmentFilter::SegmentFilter(const Filter &filter, const Segment &segment) : segment_(segment) {
  const std::size_t attributes = segment.attributeTexts.size() / 2;
  for (const auto &[name, values] : filter.conditions()) {
    std::vector<bool> accepted(attributes);
    for (std::size_t number = 0; number < attributes; ++number)
      accepted[number] = segment.attributeTexts[2 * number] == name &&
                         std::find(values.begin(), values.end(),
                                   segment.attributeTexts[2 * number + 1]) != values.end();
    accepted_.push_back(std::move(accepted));
  }
}

bool SegmentFilter::operator()(std::size_t entry) const noexcept {
  const std::span<const std::uint32_t> attributes = segment_.attributesOf(entry);
  return std::all_of(accepted_.begin(), accepted_.end(), [&](const std::vector<bool> &accepted) {
    return std::any_of(attributes.begin(), attributes.end(),
                       [&](std::uint32_t attribute) { return accepted[attribute]; });
  });
}

} // namespace skillhost::keyword
