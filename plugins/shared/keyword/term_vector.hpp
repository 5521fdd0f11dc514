// SPDX-License-Identifier: Apache-2.0
// The terms of one entry with their counts by field, packed to about two bytes each.
#pragma once

#include "fields.hpp"
#include "packed.hpp"

#include <optional>
#include <vector>

namespace skillhost::keyword {

struct TermCount {
  std::uint32_t term; // number in the TermTable, below 2^30
  Field field;
  std::uint8_t count; // at least 1; stops at 255
};

class TermVector {
public:
  TermVector() = default;
  // The counts ascend by term, then by field, with each (term, field) once. The lengths are those
  // of the fields in terms, repetitions included.
  TermVector(std::span<const TermCount> counts, const PerField<std::uint32_t> &lengths);

  const PerField<std::uint32_t> &lengths() const noexcept { return lengths_; }
  std::vector<TermCount> counts() const; // as given to the constructor

private:
  friend class TermReader;
  std::vector<std::uint8_t> bytes_;
  PerField<std::uint32_t> lengths_{};
};

// Reads the counts of a vector, which must outlive it unchanged.
class TermReader {
public:
  explicit TermReader(const TermVector &terms) noexcept : bytes_(terms.bytes_) {}
  std::optional<TermCount> next() noexcept { // empty after the last
    if (at_ == bytes_.size()) return std::nullopt;
    const std::uint64_t step = unpack(bytes_, at_);
    key_ += step >> 1U;
    const std::uint8_t count = (step & 1U) != 0 ? bytes_[at_++] : std::uint8_t{1};
    return TermCount{static_cast<std::uint32_t>(key_ >> 2U), static_cast<Field>(key_ & 3U), count};
  }

private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::uint64_t key_ = 0;
};

// Counts terms into a TermVector. Only one thread at a time may use it.
class TermCounter {
public:
  // Uses a few bytes of memory for each number below the term.
  void add(std::uint32_t term, Field field) {
    const std::uint32_t key = term << 2U | static_cast<std::uint32_t>(field);
    if (key >= times_.size()) times_.resize(std::size_t{key} + key / 2 + 4);
    if (times_[key]++ == 0) keys_.push_back(key);
  }
  TermVector take(); // returns what was added since the last take()

private:
  std::vector<std::uint32_t> times_; // count by key, term << 2 | field
  std::vector<std::uint32_t> keys_;  // keys whose count is not 0
  std::vector<TermCount> counts_;    // kept to reuse its memory
};

} // namespace skillhost::keyword
