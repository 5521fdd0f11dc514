// SPDX-License-Identifier: Apache-2.0
#include "scoring.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace skillhost::keyword {

Scoring::Scoring(const Snapshot &snapshot, const Bm25 &bm25, const LengthSums &sums,
                 Postings Segment::*which, PerField<std::vector<std::uint32_t>> Segment::*lengths)
    : snapshot_(snapshot), which_(which), lengths_(lengths), base_(static_cast<float>(1 - bm25.b)),
      k1_(static_cast<float>(bm25.k1)) {
  const PerField<double> averages = sums.averages();
  for (std::size_t field = 0; field < fieldCount; ++field) {
    weights_[field] = static_cast<float>(bm25.weights[field]);
    slopes_[field] = static_cast<float>(bm25.b / averages[field]);
  }
}

// Compounds count as words of the name.
float Scoring::saturated(Counts counts, std::uint32_t compounds, const Lengths &lengths,
                         std::size_t entry) const {
  float weighted = 0;
  for (std::size_t field = 0; field < fieldCount; ++field) {
    std::uint32_t count = countIn(counts, field);
    if (field == indexOf(Field::Name)) count += compounds;
    if (count == 0) continue;
    const float norm = base_ + slopes_[field] * static_cast<float>(lengths[field][entry]);
    // Of a field without a word there is nothing to be found but compounds of other fields.
    weighted += weights_[field] * static_cast<float>(count) / std::max(norm, 1e-6F);
  }
  return weighted > 0 ? weighted * (k1_ + 1) / (weighted + k1_) : 0;
}

// At most `atOnce` entries, into as many scores.
void Scoring::score(Counts counts, const Lengths &lengths, std::span<const std::uint16_t> entries,
                    float *scores) const {
  const auto field = static_cast<std::size_t>(std::countr_zero(counts)) / 8;
  const float weighted = weights_[field] * static_cast<float>(countIn(counts, field));
  if (counts >> 8U * field > 0xFFU || weighted <= 0) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      scores[i] = saturated(counts, 0, lengths, entries[i]);
    return;
  }
  // In one field alone, which is by far the most frequent: the same with one division.
  const float top = weighted * (k1_ + 1);
  const float bottom = weighted + k1_ * base_;
  const float slope = k1_ * slopes_[field];
  const std::uint32_t *const words = lengths[field].data();
  for (std::size_t i = 0; i < entries.size(); ++i)
    scores[i] =
        top / (bottom + slope * static_cast<float>(static_cast<std::int32_t>(words[entries[i]])));
}

void Scoring::add(const QueryTerms::Term &term, const QueryTerms::InSegment &where,
                  const std::vector<Target> &targets) const {
  const Segment &segment = *snapshot_.segments()[where.segment].segment;
  const std::size_t base = snapshot_.base(where.segment);
  const Lengths &lengths = segment.*lengths_;
  const Postings &postings = segment.*which_;
  std::array<float, atOnce> scores; // NOLINT: filled before it is read
  if (where.number != QueryTerms::InSegment::none) {
    postings.forEachGroup(where.number, [&](const Postings::Group &group) {
      for (std::size_t from = 0; from < group.entries.size(); from += atOnce) {
        const std::span<const std::uint16_t> some =
            group.entries.subspan(from, std::min(atOnce, group.entries.size() - from));
        score(group.counts, lengths, some, scores.data());
        auto compound = where.compounds.begin(); // these come below
        for (std::size_t i = 0; compound != where.compounds.end() && i < some.size(); ++i) {
          while (compound != where.compounds.end() && compound->first < some[i]) ++compound;
          if (compound != where.compounds.end() && compound->first == some[i]) scores[i] = 0;
        }
        for (const Target &target : targets) {
          float *const to = target.scores + base;
          const float factor = target.weight * term.rarity;
          for (std::size_t i = 0; i < some.size(); ++i) to[some[i]] += factor * scores[i];
        }
      }
    });
  }
  for (const auto &[entry, count] : where.compounds) {
    const Counts own = where.number == QueryTerms::InSegment::none
                           ? 0
                           : postings.countsOfEntry(where.number, entry);
    const float one = saturated(own, count, lengths, entry);
    for (const Target &target : targets)
      target.scores[base + entry] += target.weight * term.rarity * one;
  }
}

float Scoring::of(const QueryTerms::Term &term, std::uint32_t place) const {
  for (const QueryTerms::InSegment &where : term.places) {
    const std::size_t base = snapshot_.base(where.segment);
    const Segment &segment = *snapshot_.segments()[where.segment].segment;
    if (place < base || place - base >= segment.size()) continue;
    const auto entry = static_cast<std::uint16_t>(place - base);
    const auto compound = std::find_if(where.compounds.begin(), where.compounds.end(),
                                       [entry](const auto &each) { return each.first == entry; });
    const Counts own = where.number == QueryTerms::InSegment::none
                           ? 0
                           : (segment.*which_).countsOfEntry(where.number, entry);
    return term.rarity * saturated(own, compound == where.compounds.end() ? 0 : compound->second,
                                   segment.*lengths_, entry);
  }
  return 0;
}

} // namespace skillhost::keyword
