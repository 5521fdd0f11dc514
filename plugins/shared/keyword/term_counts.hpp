// SPDX-License-Identifier: Apache-2.0
// Counts the terms of one entry by field.
#pragma once

#include "postings.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace skillhost::keyword {

struct TermCount {
  std::uint32_t term; // number in the TermTable
  Counts counts;      // not 0
};

struct TermCounts {
  std::vector<TermCount> terms;      // each term once
  PerField<std::uint32_t> lengths{}; // of the fields, in terms, repetitions included
};

// Only one thread at a time may use it.
class TermCounter {
public:
  // A count stops at 255. Uses four bytes of memory for each number below the term.
  void add(std::uint32_t term, Field field) {
    if (term >= counts_.size()) counts_.resize(std::size_t{term} + term / 2 + 4);
    Counts &counts = counts_[term];
    if (counts == 0) terms_.push_back(term);
    if (countIn(counts, indexOf(field)) < UINT8_MAX) counts += countsOf(field, 1);
    ++lengths_[indexOf(field)];
  }
  // Returns what was added since the last take().
  TermCounts take() {
    TermCounts taken;
    taken.terms.reserve(terms_.size());
    for (const std::uint32_t term : terms_)
      taken.terms.push_back({term, std::exchange(counts_[term], 0)});
    terms_.clear();
    taken.lengths = std::exchange(lengths_, {});
    return taken;
  }

private:
  std::vector<Counts> counts_;       // by term
  std::vector<std::uint32_t> terms_; // terms whose counts are not 0
  PerField<std::uint32_t> lengths_{};
};

} // namespace skillhost::keyword
