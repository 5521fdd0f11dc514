// SPDX-License-Identifier: Apache-2.0
#include "postings.hpp"

#include <algorithm>
#include <cmath>

namespace skillhost::keyword {
namespace {

constexpr std::size_t checkEvery = 256; // entries

// How often a term is in each field and, in the last place, among the compounds: a byte for each.
using Counts = std::uint64_t;
constexpr std::size_t countPlaces = fieldCount + 1;
constexpr Counts countAt(std::size_t place, std::uint8_t count) noexcept {
  return Counts{count} << 8U * place;
}

// Calls take(counts, term) for every term of an entry once, terms ascending.
template <class Take> void forEachTerm(const EntryTerms &entry, Take &&take) {
  static const TermVector none;
  TermReader ownReader(*entry.own);
  TermReader compoundReader(entry.compounds == nullptr ? none : *entry.compounds);
  std::optional<TermCount> own = ownReader.next();
  std::optional<TermCount> compound = compoundReader.next();
  while (own || compound) {
    const std::uint32_t term =
        !compound || (own && own->term < compound->term) ? own->term : compound->term;
    Counts counts = 0;
    for (; own && own->term == term; own = ownReader.next())
      counts |= countAt(indexOf(own->field), own->count);
    for (; compound && compound->term == term; compound = compoundReader.next())
      counts |= countAt(fieldCount, compound->count);
    take(counts, term);
  }
}

// Numbers the different counts of one entry after the other, in order of their first term: twice
// the same for the same entries.
class LevelNumbers {
public:
  // Calls take(term, number, counts) for every term of the entry; the numbers of entries ascend.
  template <class Take> void forEach(const EntryTerms &entry, Take &&take) {
    first_ += known_.size();
    known_.clear();
    forEachTerm(entry, [&](Counts counts, std::uint32_t term) {
      const auto found = std::find(known_.begin(), known_.end(), counts);
      const auto number = static_cast<std::size_t>(found - known_.begin());
      if (found == known_.end()) known_.push_back(counts);
      take(term, first_ + number, counts);
    });
  }

private:
  std::size_t first_ = 0; // of the entry at hand
  std::vector<Counts> known_;
};

PerField<double> averageLengths(std::span<const EntryTerms> entries) {
  PerField<double> sums{};
  PerField<double> filled{};
  for (const EntryTerms &entry : entries) {
    for (std::size_t field = 0; field < fieldCount; ++field) {
      const std::uint32_t length = entry.own->lengths()[field];
      sums[field] += length;
      filled[field] += length > 0 ? 1 : 0;
    }
  }
  for (std::size_t field = 0; field < fieldCount; ++field)
    sums[field] = filled[field] > 0 ? sums[field] / filled[field] : 1;
  return sums;
}

// The BM25F score of a term before its rarity.
double saturate(Counts counts, const PerField<std::uint32_t> &lengths,
                const PerField<double> &average, const Bm25 &bm25) {
  float weighted = 0;
  for (std::size_t place = 0; place < countPlaces; ++place) {
    const std::size_t field = place < fieldCount ? place : indexOf(Field::Name);
    const auto count = static_cast<double>(counts >> 8U * place & 0xFFU);
    const double length = lengths[field] / average[field];
    weighted += static_cast<float>(bm25.weights[field] * count / (1 - bm25.b + bm25.b * length));
  }
  const double count = weighted;
  return count > 0 ? count * (bm25.k1 + 1) / (count + bm25.k1) : 0;
}

} // namespace

Postings::Postings(std::shared_ptr<const TermTable> table, std::span<const EntryTerms> entries,
                   const Bm25 &bm25, const std::function<void()> &checkpoint)
    : table_(std::move(table)) {
  const std::size_t terms = table_->size();
  const PerField<double> average = averageLengths(entries);
  std::vector<std::uint32_t> last(terms); // level of each term
  const auto eachTerm = [&](auto &&take) {
    LevelNumbers numbers;
    std::fill(last.begin(), last.end(), 0);
    for (std::uint32_t entry = 0; entry < entries.size(); ++entry) {
      if (entry % checkEvery == 0) checkpoint();
      numbers.forEach(entries[entry], [&](std::uint32_t term, std::size_t level, Counts counts) {
        take(entry, term, level - last[term], counts, level);
        last[term] = static_cast<std::uint32_t>(level);
      });
    }
  };

  // First how much room each term needs, one place further on than where it will begin.
  std::vector<std::uint32_t> having(terms);
  begins_.resize(terms + 1);
  eachTerm([&](std::uint32_t entry, std::uint32_t term, std::size_t step, Counts counts,
               std::size_t level) {
    ++having[term];
    begins_[term + 1] += static_cast<std::uint32_t>(packedSize(step));
    if (level == levels_.size())
      levels_.push_back({saturate(counts, entries[entry].own->lengths(), average, bm25), entry});
  });
  levels_.shrink_to_fit();
  rarities_.reserve(terms);
  for (std::size_t term = 0; term < terms; ++term) {
    begins_[term + 1] += begins_[term];
    const double lacking = static_cast<double>(entries.size()) - having[term];
    rarities_.push_back(static_cast<float>(std::log(1 + (lacking + 0.5) / (having[term] + 0.5))));
  }

  bytes_.resize(begins_.back());
  std::vector<std::uint32_t> &next = having; // its room, for where each term goes on
  std::copy(begins_.begin(), begins_.end() - 1, next.begin());
  eachTerm([&](std::uint32_t, std::uint32_t term, std::size_t step, Counts, std::size_t) {
    std::size_t at = next[term];
    pack(bytes_, at, step);
    next[term] = static_cast<std::uint32_t>(at);
  });
}

} // namespace skillhost::keyword
