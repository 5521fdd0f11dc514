// SPDX-License-Identifier: Apache-2.0
#include "postings.hpp"

#include <cmath>

namespace skillhost::keyword {
namespace {

constexpr std::size_t checkEvery = 256; // entries
constexpr std::uint32_t none = UINT32_MAX;

// Calls take(entry, lengths, count) for every count of every entry, entries ascending.
template <class Take>
void forEachCount(std::span<const EntryTerms> entries, const std::function<void()> &checkpoint,
                  Take &&take) {
  for (std::uint32_t entry = 0; entry < entries.size(); ++entry) {
    if (entry % checkEvery == 0) checkpoint();
    const TermVector &own = *entries[entry].own;
    for (const TermCount &count : own.counts) take(entry, own.lengths, count);
    if (entries[entry].extra == nullptr) continue;
    for (const TermCount &count : entries[entry].extra->counts) take(entry, own.lengths, count);
  }
}

PerField<double> averageLengths(std::span<const EntryTerms> entries) {
  PerField<double> sums{};
  PerField<double> filled{};
  for (const EntryTerms &entry : entries) {
    for (std::size_t field = 0; field < fieldCount; ++field) {
      sums[field] += entry.own->lengths[field];
      filled[field] += entry.own->lengths[field] > 0 ? 1 : 0;
    }
  }
  for (std::size_t field = 0; field < fieldCount; ++field)
    sums[field] = filled[field] > 0 ? sums[field] / filled[field] : 1;
  return sums;
}

} // namespace

Postings::Postings(const TermTable &table, std::span<const EntryTerms> entries, const Bm25 &bm25,
                   const std::function<void()> &checkpoint) {
  // How many entries have each term; `last` tells a second field of the same entry.
  std::vector<std::uint32_t> frequency(table.size());
  std::vector<std::uint32_t> last(table.size(), none);
  forEachCount(entries, checkpoint, [&](std::uint32_t entry, const auto &, const TermCount &count) {
    if (last[count.term] == entry) return;
    last[count.term] = entry;
    ++frequency[count.term];
  });

  // Only terms in use get a place: the table may remember others.
  std::vector<std::uint32_t> places(table.size(), none);
  std::vector<std::string_view> used;
  begins_.push_back(0);
  for (std::uint32_t term = 0; term < table.size(); ++term) {
    if (frequency[term] == 0) continue;
    places[term] = static_cast<std::uint32_t>(used.size());
    used.push_back(table.term(term));
    begins_.push_back(begins_.back() + frequency[term]);
    const double having = frequency[term];
    const double lacking = static_cast<double>(entries.size()) - having;
    rarities_.push_back(static_cast<float>(std::log(1 + (lacking + 0.5) / (having + 0.5))));
  }
  lookup_ = TermLookup(used);

  const PerField<double> average = averageLengths(entries);
  postings_.resize(begins_.back());
  std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
  forEachCount(
      entries, checkpoint,
      [&](std::uint32_t entry, const PerField<std::uint32_t> &lengths, const TermCount &count) {
        const std::uint32_t place = places[count.term];
        std::uint32_t &end = next[place];
        if (end == begins_[place] || postings_[end - 1].entry != entry)
          postings_[end++] = Posting{entry, 0};
        const std::size_t field = indexOf(count.field);
        const double length = lengths[field] / average[field];
        postings_[end - 1].score +=
            static_cast<float>(bm25.weights[field] * count.count / (1 - bm25.b + bm25.b * length));
      });

  for (std::uint32_t term = 0; term < rarities_.size(); ++term) {
    for (std::uint32_t i = begins_[term]; i < begins_[term + 1]; ++i) {
      const double count = postings_[i].score;
      const double saturated = count > 0 ? count * (bm25.k1 + 1) / (count + bm25.k1) : 0;
      postings_[i].score = static_cast<float>(saturated * rarities_[term]);
    }
  }
}

} // namespace skillhost::keyword
