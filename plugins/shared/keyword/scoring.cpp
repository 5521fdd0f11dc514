// SPDX-License-Identifier: Apache-2.0
#include "scoring.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace skillhost::keyword {
namespace {

constexpr float minNorm = 1e-6F; // norm of a field without words if b is 1

} // namespace

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

// A compound counts as a word of the name.
float Scoring::saturated(Counts counts, std::uint32_t compounds, const Lengths &lengths,
                         std::size_t entry) const {
  float weighted = 0;
  for (std::size_t field = 0; field < fieldCount; ++field) {
    std::uint32_t count = countIn(counts, field);
    if (field == indexOf(Field::Name)) count += compounds;
    if (count == 0) continue;
    const float norm = base_ + slopes_[field] * static_cast<float>(lengths[field][entry]);
    // A field without words can only match by a compound.
    weighted += weights_[field] * static_cast<float>(count) / std::max(norm, minNorm);
  }
  return weighted > 0 ? weighted * (k1_ + 1) / (weighted + k1_) : 0;
}

// Computes the scores of at most `atOnce` entries. It works in steps of four, because processors
// divide four numbers at a time, so the last step may write scores beyond the end.
void Scoring::score(Counts counts, const Lengths &lengths, std::span<const std::uint16_t> entries,
                    float *scores) const {
  const std::size_t steps = (entries.size() + 3) / 4 * 4;
  std::array<std::int32_t, atOnce> taken; // NOLINT: filled before it is read
  std::array<float, atOnce> words;        // NOLINT: likewise
  const auto takeLengths = [&](std::size_t field) {
    const std::uint32_t *const from = lengths[field].data();
    for (std::size_t i = 0; i < entries.size(); ++i)
      taken[i] = static_cast<std::int32_t>(from[entries[i]]);
    for (std::size_t i = entries.size(); i < steps; ++i) taken[i] = 0;
    for (std::size_t i = 0; i < steps; i += 4)
      for (std::size_t j = i; j < i + 4; ++j) words[j] = static_cast<float>(taken[j]);
  };
  const auto first = static_cast<std::size_t>(std::countr_zero(counts)) / 8;
  const float weighted = weights_[first] * static_cast<float>(countIn(counts, first));
  if (counts >> 8U * first <= 0xFFU && weighted > 0) {
    // Most terms occur in one field only. That case needs one division instead of two.
    const float top = weighted * (k1_ + 1);
    const float bottom = weighted + k1_ * base_;
    const float slope = k1_ * slopes_[first];
    takeLengths(first);
    for (std::size_t i = 0; i < steps; i += 4)
      for (std::size_t j = i; j < i + 4; ++j) scores[j] = top / (bottom + slope * words[j]);
    return;
  }
  std::fill_n(scores, steps, 0.0F);
  for (std::size_t field = 0; field < fieldCount; ++field) {
    const float weight = weights_[field] * static_cast<float>(countIn(counts, field));
    if (weight <= 0) continue;
    const float slope = slopes_[field];
    const float base = base_;
    takeLengths(field);
    for (std::size_t i = 0; i < steps; i += 4)
      for (std::size_t j = i; j < i + 4; ++j)
        scores[j] += weight / std::max(base + slope * words[j], minNorm);
  }
  const float k1 = k1_;
  for (std::size_t i = 0; i < steps; i += 4)
    for (std::size_t j = i; j < i + 4; ++j)
      scores[j] = scores[j] * (k1 + 1) / (scores[j] + k1 + minNorm * minNorm);
}

const float *Scoring::dense(const Postings::Group &group, std::size_t segment) const {
  constexpr std::size_t share =
      128; // of a segment's entries; a group of that share is worth keeping the scores of all
  const Segment &of = *snapshot_.segments()[segment].segment;
  DenseScores &kept =
      which_ == &Segment::words ? snapshot_.denseWords(segment) : snapshot_.denseRuns(segment);
  return kept.find(group.counts, group.entries.size() >= of.size() / share,
                   [&](std::vector<float> &scores) {
                     scores.resize(of.size() + 3); // score() writes in steps of four
                     std::vector<std::uint16_t> all(of.size());
                     std::iota(all.begin(), all.end(), std::uint16_t{0});
                     for (std::size_t from = 0; from < all.size(); from += atOnce)
                       score(group.counts, of.*lengths_,
                             std::span(all).subspan(from, std::min(atOnce, all.size() - from)),
                             scores.data() + from);
                   });
}

void Scoring::add(float rarity, const QueryTerms::InSegment &where,
                  std::span<const Target> targets) const {
  constexpr std::size_t worthDense = 32; // entries; fewer are scored one by one
  const Segment &segment = *snapshot_.segments()[where.segment].segment;
  const std::size_t base = snapshot_.base(where.segment);
  const Lengths &lengths = segment.*lengths_;
  std::array<float, atOnce> scores; // NOLINT: filled before it is read
  const auto addSome = [&](std::span<const std::uint16_t> entries) {
    for (const Target &target : targets) {
      float *const to = target.scores + base;
      const float factor = target.weight * rarity;
      for (std::size_t i = 0; i < entries.size(); ++i) to[entries[i]] += factor * scores[i];
    }
  };
  const auto addGroup = [&](const Postings::Group &group) {
    const bool mixed = where.compounds != nullptr;
    if (!mixed && group.entries.size() >= worthDense) {
      if (const float *const all = dense(group, where.segment)) {
        for (const Target &target : targets) {
          float *const to = target.scores + base;
          const float factor = target.weight * rarity;
          for (const std::uint16_t entry : group.entries) to[entry] += factor * all[entry];
        }
        return;
      }
    }
    for (std::size_t from = 0; from < group.entries.size(); from += atOnce) {
      const std::span<const std::uint16_t> some =
          group.entries.subspan(from, std::min(atOnce, group.entries.size() - from));
      score(group.counts, lengths, some, scores.data());
      for (std::size_t i = 0; mixed && i < some.size(); ++i) // scored below
        if (where.compounds->has(some[i])) scores[i] = 0;
      addSome(some);
    }
  };
  if (where.number != QueryTerms::InSegment::none)
    (segment.*which_).forEachGroup(where.number, addGroup);
  if (!where.compounds) return;
  for (const QueryTerms::Compound &each : where.compounds->entries) {
    const float one = saturated(each.own, each.count, lengths, each.entry);
    for (const Target &target : targets)
      target.scores[base + each.entry] += target.weight * rarity * one;
  }
}

float Scoring::of(const QueryTerms &terms, std::uint32_t number, std::uint32_t place) const {
  for (const QueryTerms::InSegment &where : terms.places(number)) {
    const std::size_t base = snapshot_.base(where.segment);
    const Segment &segment = *snapshot_.segments()[where.segment].segment;
    if (place < base || place - base >= segment.size()) continue;
    const auto entry = static_cast<std::uint16_t>(place - base);
    std::uint32_t compounds = 0;
    if (where.compounds)
      for (const QueryTerms::Compound &each : where.compounds->entries)
        if (each.entry == entry) compounds = each.count;
    const Counts own = where.number == QueryTerms::InSegment::none
                           ? 0
                           : (segment.*which_).countsOfEntry(where.number, entry);
    return terms.rarity(number) * saturated(own, compounds, segment.*lengths_, entry);
  }
  return 0;
}

} // namespace skillhost::keyword
