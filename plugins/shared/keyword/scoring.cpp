// SPDX-License-Identifier: Apache-2.0
#include "scoring.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace skillhost::keyword {
namespace {

constexpr float minNorm = 1e-6F; // norm of a field without words if b is 1

} // namespace

Scoring::Scoring(const Snapshot &snapshot, const Bm25 &bm25, Kind kind)
    : snapshot_(snapshot), kind_(kind),
      which_(kind == Kind::Runs ? &Segment::runs : &Segment::words),
      lengths_(kind == Kind::Runs ? &Segment::runLengths : &Segment::lengths),
      base_(static_cast<float>(1 - bm25.b)), k1_(static_cast<float>(bm25.k1)) {
  const Statistics &statistics = snapshot.statistics();
  const PerField<double> averages =
      (kind == Kind::Runs ? statistics.runs : statistics.words).averages();
  for (std::size_t field = 0; field < fieldCount; ++field) {
    weights_[field] = static_cast<float>(bm25.weights[field]);
    slopes_[field] = static_cast<float>(bm25.b / averages[field]);
  }
}

PerField<float> Scoring::raritiesOf(const QueryTerms &terms, std::uint32_t number) const {
  if (kind_ == Kind::WordsApart) return terms.raritiesByField(number, snapshot_);
  PerField<float> same{};
  same.fill(terms.rarity(number));
  return same;
}

// A compound counts as a word of the name.
PerField<float> Scoring::fieldsOf(Counts counts, std::uint32_t compounds,
                                  const PerField<float> &rarities, const Lengths &lengths,
                                  std::size_t entry) const {
  PerField<float> fields{};
  float sum = 0;
  for (std::size_t field = 0; field < fieldCount; ++field) {
    std::uint32_t count = countIn(counts, field);
    if (field == indexOf(Field::Name)) count += compounds;
    if (count == 0) continue;
    const float norm = base_ + slopes_[field] * static_cast<float>(lengths[field][entry]);
    // A field without words can only match by a compound.
    fields[field] = weights_[field] * static_cast<float>(count) / std::max(norm, minNorm);
    sum += fields[field];
  }
  for (std::size_t field = 0; field < fieldCount; ++field)
    if (fields[field] > 0)
      fields[field] *=
          rarities[field] * (k1_ + 1) / ((kind_ == Kind::WordsApart ? fields[field] : sum) + k1_);
  return fields;
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
  DenseScores &kept = snapshot_.dense(segment, static_cast<std::size_t>(kind_));
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

void Scoring::addGroup(const Postings::Group &group, float rarity,
                       const QueryTerms::InSegment &where, std::span<const Target> targets) const {
  constexpr std::size_t worthDense = 32; // entries; fewer are scored one by one
  const std::size_t base = snapshot_.base(where.segment);
  const bool isOfBodies = inBodyAlone(group.counts) && kind_ == Kind::WordsApart;
  const auto addScores = [&](std::span<const std::uint16_t> entries, auto &&scoreOf) {
    for (const Target &target : targets) {
      if (isOfBodies && !target.takesBodies) continue;
      float *const to = target.scores + base;
      const float factor = target.weight * rarity;
      for (std::size_t i = 0; i < entries.size(); ++i)
        to[entries[i]] += factor * scoreOf(i, entries[i]);
    }
  };
  const bool mixed = where.compounds != nullptr;
  if (!mixed && group.entries.size() >= worthDense) {
    if (const float *const all = dense(group, where.segment))
      return addScores(group.entries,
                       [all](std::size_t, std::uint16_t entry) { return all[entry]; });
  }
  const Lengths &lengths = (*snapshot_.segments()[where.segment].segment).*lengths_;
  std::array<float, atOnce> some; // NOLINT: filled before it is read
  for (std::size_t from = 0; from < group.entries.size(); from += atOnce) {
    const std::span<const std::uint16_t> entries =
        group.entries.subspan(from, std::min(atOnce, group.entries.size() - from));
    score(group.counts, lengths, entries, some.data());
    for (std::size_t i = 0; mixed && i < entries.size(); ++i) // add() scores compounds
      if (where.compounds->has(entries[i])) some[i] = 0;
    addScores(entries, [&some](std::size_t i, std::uint16_t) { return some[i]; });
  }
}

void Scoring::add(const PerField<float> &rarities, const QueryTerms::InSegment &where,
                  std::span<const Target> targets) const {
  const Segment &segment = *snapshot_.segments()[where.segment].segment;
  if (where.number != QueryTerms::InSegment::none)
    (segment.*which_).forEachGroup(where.number, [&](const Postings::Group &group) {
      if (kind_ != Kind::WordsApart) return addGroup(group, rarities[0], where, targets);
      for (std::size_t field = 0; field < fieldCount; ++field)
        if (const std::uint8_t count = countIn(group.counts, field); count > 0)
          addGroup({countsOf(static_cast<Field>(field), count), group.entries}, rarities[field],
                   where, targets);
    });
  if (!where.compounds) return;
  for (const QueryTerms::Compound &each : where.compounds->entries) {
    const PerField<float> fields =
        fieldsOf(each.own, each.count, rarities, segment.*lengths_, each.entry);
    const float all = std::accumulate(fields.begin(), fields.end(), 0.0F);
    const float ofBody = kind_ == Kind::WordsApart ? fields[indexOf(Field::Body)] : 0;
    for (const Target &target : targets)
      target.scores[snapshot_.base(where.segment) + each.entry] +=
          target.weight * (target.takesBodies ? all : all - ofBody);
  }
}

PerField<float> Scoring::of(const QueryTerms &terms, std::uint32_t number,
                            std::uint32_t place) const {
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
    return fieldsOf(own, compounds, raritiesOf(terms, number), segment.*lengths_, entry);
  }
  return {};
}

} // namespace skillhost::keyword
