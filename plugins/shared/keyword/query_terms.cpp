// SPDX-License-Identifier: Apache-2.0
#include "query_terms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace skillhost::keyword {
namespace {

void addCompounds(QueryTerms::Compounds &place, const Segment &segment,
                  const std::vector<CompoundParts::LongWord> &longWords) {
  std::vector<std::uint32_t> counts; // counts of each entry
  std::vector<std::uint64_t> &having = place.bits;
  for (const CompoundParts::LongWord &each : longWords) {
    const auto number = segment.longWords.find(each.word);
    if (!number) continue;
    if (counts.empty()) {
      counts.resize(segment.size());
      having.resize((segment.size() + 63) / 64);
    }
    segment.longWords.forEachGroup(*number, [&](const Postings::Group &group) {
      for (const std::uint16_t entry : group.entries) {
        counts[entry] += each.times * countIn(group.counts, indexOf(Field::Name));
        having[entry / 64] |= std::uint64_t{1} << entry % 64;
      }
    });
  }
  for (std::size_t word = 0; word < having.size(); ++word) {
    for (std::uint64_t bits = having[word]; bits != 0; bits &= bits - 1) {
      const std::size_t entry = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      place.entries.push_back(
          {static_cast<std::uint16_t>(entry),
           static_cast<std::uint8_t>(std::min<std::uint32_t>(counts[entry], 255)), 0});
    }
  }
}

void addOwn(QueryTerms::Compounds &place, const Postings &postings, std::uint32_t term) {
  const auto before = [](const QueryTerms::Compound &each, std::uint16_t entry) {
    return each.entry < entry;
  };
  postings.forEachGroup(term, [&](const Postings::Group &group) {
    for (const std::uint16_t entry : group.entries)
      if (place.has(entry))
        std::lower_bound(place.entries.begin(), place.entries.end(), entry, before)->own =
            group.counts;
  });
}

} // namespace

double rarityOf(double having, std::size_t entries) noexcept {
  return std::log(1 + (static_cast<double>(entries) - having + 0.5) / (having + 0.5));
}

std::optional<std::uint32_t> QueryTerms::find(std::string_view text, const Snapshot &snapshot,
                                              Postings Segment::*which) {
  const std::uint32_t known = known_.number(text);
  if (known < numbers_.size()) return numbers_[known];
  Term term;
  term.begin = static_cast<std::uint32_t>(places_.size());
  std::size_t having = 0;
  std::size_t bodies = 0; // entries that have the term only in the body
  const std::vector<CompoundParts::LongWord> *longWords =
      which == &Segment::words ? snapshot.compounds().find(text) : nullptr;
  for (std::uint32_t number = 0; number < snapshot.segments().size(); ++number) {
    const SegmentView &view = snapshot.segments()[number];
    const Postings &postings = (*view.segment).*which;
    InSegment place;
    place.segment = number;
    if (const auto found = postings.find(text)) {
      place.number = *found;
      having += postings.count(*found) - (which == &Segment::words ? view.removed->withWord(*found)
                                                                   : view.removed->withRun(*found));
      if (which == &Segment::words)
        bodies += postings.countInBodyAlone(*found) - view.removed->withWordInBodyAlone(*found);
    }
    if (longWords != nullptr) {
      auto compounds = std::make_shared<Compounds>();
      addCompounds(*compounds, *view.segment, *longWords);
      if (place.number != InSegment::none && !compounds->entries.empty())
        addOwn(*compounds, postings, place.number);
      for (const Compound &each : compounds->entries) { // the name contains it
        if (view.removed->contains(each.entry)) continue;
        having += each.own == 0 ? 1U : 0U;
        bodies -= each.own != 0 && inBodyAlone(each.own) ? 1U : 0U;
      }
      if (!compounds->entries.empty()) place.compounds = std::move(compounds);
    }
    if (place.number != InSegment::none || place.compounds) places_.push_back(std::move(place));
  }
  term.end = static_cast<std::uint32_t>(places_.size());
  if (having == 0) {
    places_.resize(term.begin);
    numbers_.emplace_back();
    return std::nullopt;
  }
  const double counted =
      static_cast<double>(having - bodies) + bodyCommonness_ * static_cast<double>(bodies);
  term.rarity = static_cast<float>(rarityOf(counted, snapshot.size()));
  terms_.push_back(term);
  numbers_.emplace_back(static_cast<std::uint32_t>(terms_.size() - 1));
  return numbers_.back();
}

PerField<float> QueryTerms::raritiesByField(std::uint32_t number,
                                            const Snapshot &snapshot) const noexcept {
  PerField<std::size_t> having{};
  for (const InSegment &where : places(number)) {
    const SegmentView &view = snapshot.segments()[where.segment];
    if (where.number != InSegment::none) {
      view.segment->words.forEachGroup(where.number, [&](const Postings::Group &group) {
        for (std::size_t field = 0; field < fieldCount; ++field)
          if (countIn(group.counts, field) > 0) having[field] += group.entries.size();
      });
      for (std::size_t field = 0; field < fieldCount; ++field)
        having[field] -= view.removed->withWordInField(where.number, field);
    }
    if (!where.compounds) continue;
    for (const Compound &each : where.compounds->entries)
      if (!view.removed->contains(each.entry) && countIn(each.own, indexOf(Field::Name)) == 0)
        ++having[indexOf(Field::Name)];
  }
  PerField<float> rarities{};
  for (std::size_t field = 0; field < fieldCount; ++field)
    rarities[field] =
        static_cast<float>(rarityOf(static_cast<double>(having[field]), snapshot.size()));
  return rarities;
}

bool QueryTerms::has(std::uint32_t number, const Snapshot &snapshot,
                     std::uint32_t place) const noexcept {
  for (const InSegment &where : places(number)) {
    const std::size_t base = snapshot.base(where.segment);
    const Segment &segment = *snapshot.segments()[where.segment].segment;
    if (place < base || place - base >= segment.size()) continue;
    const auto entry = static_cast<std::uint16_t>(place - base);
    return (where.compounds && where.compounds->has(entry)) ||
           (where.number != InSegment::none &&
            segment.words.countsOfEntry(where.number, entry) != 0);
  }
  return false;
}

} // namespace skillhost::keyword
