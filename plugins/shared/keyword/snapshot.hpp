// SPDX-License-Identifier: Apache-2.0
// What one commit makes visible: everything a query needs, and nothing that changes.
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

// Sums over the entries that are there, exact: so the average lengths do not depend on what was
// there before.
struct LengthSums {
  PerField<std::uint64_t> sum{}, filled{}; // filled: entries that have the field
  void add(const PerField<std::uint32_t> &lengths) noexcept;
  void take(const PerField<std::uint32_t> &lengths) noexcept;
  PerField<double> averages() const noexcept; // 1 where no entry has the field
};

struct Statistics {
  std::size_t entries = 0;
  LengthSums words, runs;
};

struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const Dead> dead;
};

// What a term scores before its rarity in each entry of a segment if it is there as often as
// `counts` says, for those counts that many postings have. Made when they are first asked for; any
// thread.
class DenseScores {
public:
  using Make = std::function<void(std::vector<float> &scores)>;
  // Null: there is no more room, or it is not there and not `worthMaking`.
  const float *find(Counts counts, bool worthMaking, const Make &make);

private:
  struct Slot {
    std::atomic<Counts> counts{0}; // 0: free
    std::once_flag made;
    std::vector<float> scores;
  };
  std::array<Slot, 64> slots_; // 256 bytes an entry at most
};

// An entry is named by its place: those of the first segment come first, the dead included.
class Snapshot {
public:
  Snapshot() = default;
  Snapshot(std::string generation, std::vector<SegmentView> segments, const Statistics &statistics,
           CompoundParts compounds);

  const std::string &generation() const noexcept { return generation_; }
  std::size_t size() const noexcept { return statistics_.entries; } // entries that are there
  std::size_t places() const noexcept { return bases_.empty() ? 0 : bases_.back(); }

  // Of an entry that is there; views are valid as long as the snapshot.
  std::string_view id(std::size_t place) const noexcept;
  Entry entry(std::size_t place) const;
  std::string body(std::size_t place) const; // the indexed part; empty also when it cannot be read
  std::optional<std::uint32_t> find(std::string_view id) const noexcept;
  template <class Take> void forEach(Take &&take) const { // of the places of all entries
    for (std::size_t number = 0; number < segments_.size(); ++number)
      for (std::size_t entry = 0; entry < segments_[number].segment->size(); ++entry)
        if (!segments_[number].dead->contains(entry)) take(base(number) + entry);
  }

  const std::vector<SegmentView> &segments() const noexcept { return segments_; }
  std::size_t base(std::size_t segment) const noexcept {
    return segment == 0 ? 0 : bases_[segment - 1];
  }
  const Statistics &statistics() const noexcept { return statistics_; }
  const CompoundParts &compounds() const noexcept { return compounds_; }
  // Kept for Scoring; an index always scores by the same weights.
  DenseScores &denseWords(std::size_t segment) const noexcept { return dense_[2 * segment]; }
  DenseScores &denseRuns(std::size_t segment) const noexcept { return dense_[2 * segment + 1]; }

private:
  std::size_t segmentOf(std::size_t place) const noexcept;

  std::string generation_;
  std::vector<SegmentView> segments_;
  std::vector<std::size_t> bases_; // of the segment after each
  Statistics statistics_;
  CompoundParts compounds_;
  std::unique_ptr<DenseScores[]> dense_; // NOLINT: they cannot be moved into a vector
};

// A filter, worked out for the attributes of one segment. Must not outlive it.
class SegmentFilter {
public:
  SegmentFilter(const Filter &filter, const Segment &segment);
  bool operator()(std::size_t entry) const noexcept;

private:
  const Segment &segment_;
  std::vector<std::vector<bool>> accepted_; // of each demand, by number of attribute
};

} // namespace skillhost::keyword
