// SPDX-License-Identifier: Apache-2.0
// A snapshot is the immutable result of one commit and holds everything that a query needs.
#pragma once

#include "compounds.hpp"
#include "segment.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skillhost::keyword {

// Exact sums over the entries that are not removed. The average lengths therefore do not depend on
// removed entries.
struct LengthSums {
  PerField<std::uint64_t> sum{}, filled{}; // filled: number of entries that have the field
  void add(const PerField<std::uint32_t> &lengths) noexcept;
  void subtract(const PerField<std::uint32_t> &lengths) noexcept;
  PerField<double> averages() const noexcept; // 1 if no entry has the field
};

struct Statistics {
  std::size_t entries = 0;
  LengthSums words, runs;
};

struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const RemovedEntries> removed;
};

// Caches score lists of a segment. A list is for one combination of `counts`, which say how often a
// term occurs in each field. It has the score that such a term would have in each entry, without
// the factor for the term's rarity. A list is computed when it is first needed. Any thread may call
// it.
class DenseScores {
public:
  using Make = std::function<void(std::vector<float> &scores)>;
  // Returns the list for `counts`, which it computes with `make` if `isWorthMaking`. Returns null
  // if there is no list, or no room for one.
  const float *find(Counts counts, bool isWorthMaking, const Make &make);

private:
  struct Slot {
    std::atomic<Counts> counts{0}; // 0 marks a free slot
    std::once_flag made;
    std::vector<float> scores;
  };
  std::array<Slot, 64> slots_; // at most 256 bytes per entry
};

// Number of ways in which entries are scored, see Scoring::Kind.
inline constexpr std::size_t scoringKinds = 3;

// Entries are numbered through all segments in order, removed entries included. This number is the
// place of an entry.
class Snapshot {
public:
  Snapshot() = default;
  Snapshot(std::string generation, std::vector<SegmentView> segments, const Statistics &statistics,
           CompoundParts compounds);

  const std::string &generation() const noexcept { return generation_; }
  std::size_t size() const noexcept { return statistics_.entries; } // number of present entries
  std::size_t places() const noexcept { return bases_.empty() ? 0 : bases_.back(); }

  // For present entries only. Views are valid as long as the snapshot.
  std::string_view id(std::size_t place) const noexcept;
  Entry entry(std::size_t place) const;
  std::string body(std::size_t place) const; // the indexed part; empty also if it cannot be read
  std::optional<std::uint32_t> find(std::string_view id) const noexcept;
  // Calls `visit` with the place of every present entry.
  template <class Visit> void forEach(Visit &&visit) const {
    for (std::size_t number = 0; number < segments_.size(); ++number)
      for (std::size_t entry = 0; entry < segments_[number].segment->size(); ++entry)
        if (!segments_[number].removed->contains(entry)) visit(base(number) + entry);
  }

  const std::vector<SegmentView> &segments() const noexcept { return segments_; }
  std::size_t base(std::size_t segment) const noexcept {
    return segment == 0 ? 0 : bases_[segment - 1];
  }
  const Statistics &statistics() const noexcept { return statistics_; }
  const CompoundParts &compounds() const noexcept { return compounds_; }
  // Caches for Scoring, by its kind. They fit because an index always scores with the same weights.
  DenseScores &dense(std::size_t segment, std::size_t kind) const noexcept {
    return dense_[scoringKinds * segment + kind];
  }

private:
  std::size_t segmentOf(std::size_t place) const noexcept;

  std::string generation_;
  std::vector<SegmentView> segments_;
  std::vector<std::size_t> bases_; // the place after the last entry of each segment
  Statistics statistics_;
  CompoundParts compounds_;
  std::unique_ptr<DenseScores[]> dense_; // NOLINT: they cannot be moved into a vector
};

// A filter prepared for the attributes of one segment, which must outlive it.
class SegmentFilter {
public:
  SegmentFilter(const Filter &filter, const Segment &segment);
  bool operator()(std::size_t entry) const noexcept;

private:
  const Segment &segment_;
  std::vector<std::vector<bool>> accepted_; // for each demand, by number of attribute
};

} // namespace skillhost::keyword
