// SPDX-License-Identifier: Apache-2.0
#include "query_terms.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace skillhost::keyword {
namespace {

// How many entries that are there have the term.
std::size_t alive(const SegmentView &view, const Postings &postings, std::uint32_t term) {
  const std::vector<std::uint16_t> &dead = view.dead->entries();
  std::size_t sum = 0;
  postings.forEachGroup(term, [&](const Postings::Group &group) {
    const auto &entries = group.entries;
    sum += entries.size();
    constexpr std::size_t perSearch = 16; // entries that are looked at in the time of a search
    if (dead.size() * perSearch < entries.size()) {
      for (const std::uint16_t entry : dead)
        sum -= std::binary_search(entries.begin(), entries.end(), entry) ? 1U : 0U;
    } else if (!dead.empty()) {
      for (const std::uint16_t entry : entries) sum -= view.dead->contains(entry) ? 1U : 0U;
    }
  });
  return sum;
}

void addCompounds(QueryTerms::InSegment &place, const Segment &segment,
                  const std::vector<CompoundParts::LongWord> &longWords) {
  std::map<std::uint16_t, std::uint32_t> counts;
  for (const CompoundParts::LongWord &each : longWords) {
    const auto number = segment.longWords.find(each.word);
    if (!number) continue;
    segment.longWords.forEachGroup(*number, [&](const Postings::Group &group) {
      for (const std::uint16_t entry : group.entries)
        counts[entry] += each.times * countIn(group.counts, indexOf(Field::Name));
    });
  }
  for (const auto &[entry, count] : counts)
    place.compounds.emplace_back(entry,
                                 static_cast<std::uint8_t>(std::min<std::uint32_t>(count, 255)));
}

} // namespace

std::optional<std::uint32_t> QueryTerms::find(std::string_view text, const Snapshot &snapshot,
                                              Postings Segment::*which) {
  const std::uint32_t known = known_.number(text);
  if (known < numbers_.size()) return numbers_[known];
  Term term;
  std::size_t having = 0;
  const std::vector<CompoundParts::LongWord> *longWords =
      which == &Segment::words ? snapshot.compounds().find(text) : nullptr;
  for (std::uint32_t number = 0; number < snapshot.segments().size(); ++number) {
    const SegmentView &view = snapshot.segments()[number];
    const Postings &postings = (*view.segment).*which;
    InSegment place;
    place.segment = number;
    if (const auto found = postings.find(text)) {
      place.number = *found;
      having += alive(view, postings, *found);
    }
    if (longWords != nullptr) {
      addCompounds(place, *view.segment, *longWords);
      for (const auto &[entry, count] : place.compounds)
        if (!view.dead->contains(entry) &&
            (place.number == InSegment::none || postings.countsOfEntry(place.number, entry) == 0))
          ++having;
    }
    if (place.number != InSegment::none || !place.compounds.empty())
      term.places.push_back(std::move(place));
  }
  if (having == 0) {
    numbers_.emplace_back();
    return std::nullopt;
  }
  const double lacking = static_cast<double>(snapshot.size() - having);
  term.rarity =
      static_cast<float>(std::log(1 + (lacking + 0.5) / (static_cast<double>(having) + 0.5)));
  terms_.push_back(std::move(term));
  numbers_.emplace_back(static_cast<std::uint32_t>(terms_.size() - 1));
  return numbers_.back();
}

} // namespace skillhost::keyword
