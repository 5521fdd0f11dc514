// SPDX-License-Identifier: Apache-2.0
#include "postings.hpp"

#include "ground/bytes.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost::keyword {

Counts Postings::countsOfEntry(std::uint32_t term, std::uint16_t entry) const noexcept {
  Counts counts = 0;
  forEachGroup(term, [&](const Group &group) {
    if (counts == 0 && entry >= group.entries.front() && entry <= group.entries.back() &&
        std::binary_search(group.entries.begin(), group.entries.end(), entry))
      counts = group.counts;
  });
  return counts;
}

void Postings::addCounts(std::size_t having, std::size_t inBodyAlone) {
  counts_.push_back(static_cast<std::uint16_t>(having));
  if (inBodyAlone == 0) return;
  inBodyAlone_.resize(terms_.size());
  inBodyAlone_[counts_.size() - 1] = static_cast<std::uint16_t>(inBodyAlone);
}

void Postings::complete(std::size_t entries) {
  terms_.complete();
  const Column<std::uint32_t> &begins = begins_;
  const Column<std::uint16_t> &lists = lists_;
  if (begins.size() != terms_.size() + 1 || begins.front() != 0 || begins.back() != lists.size() ||
      !std::is_sorted(begins.begin(), begins.end()))
    throw Damaged("lists of terms that do not follow one another");
  counts_.reserve(terms_.size());
  for (std::size_t term = 0; term + 1 < begins.size(); ++term) {
    std::size_t count = 0;
    std::size_t bodies = 0;
    for (std::size_t at = begins[term]; at < begins[term + 1];) {
      const std::size_t left = begins[term + 1] - at;
      if (left < headerSize || lists[at] == 0 || lists[at] > left - headerSize ||
          (lists[at + 1] | lists[at + 2]) == 0)
        throw Damaged("a list of entries that goes beyond its term");
      const std::uint16_t *const first = lists.begin() + at + headerSize;
      const std::uint16_t *const last = first + lists[at];
      if (std::adjacent_find(first, last, std::greater_equal<>()) != last || *(last - 1) >= entries)
        throw Damaged("a list of entries that are not there");
      count += lists[at];
      if (inBodyAlone(Counts{lists[at + 1]} | Counts{lists[at + 2]} << 16U)) bodies += lists[at];
      at += headerSize + lists[at];
    }
    if (count > entries) throw Damaged("more entries than there are");
    addCounts(count, bodies);
  }
}

PostingsBuilder::PostingsBuilder(TermTable terms) {
  postings_.terms_ = std::move(terms);
  postings_.terms_.shrink();
  postings_.begins_.reserve(postings_.terms_.size() + 1);
  postings_.counts_.reserve(postings_.terms_.size());
  postings_.begins_.push_back(0);
}

void PostingsBuilder::add(std::vector<Key> &keys) {
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  Column<std::uint16_t> &lists = postings_.lists_;
  std::size_t bodies = 0;
  for (std::size_t begin = 0; begin < keys.size();) {
    const Key counts = keys[begin] >> 16U;
    std::size_t end = begin;
    while (end < keys.size() && keys[end] >> 16U == counts) ++end;
    if (inBodyAlone(static_cast<Counts>(counts))) bodies += end - begin;
    lists.push_back(static_cast<std::uint16_t>(end - begin));
    lists.push_back(static_cast<std::uint16_t>(counts & 0xFFFFU));
    lists.push_back(static_cast<std::uint16_t>(counts >> 16U));
    for (; begin < end; ++begin) lists.push_back(static_cast<std::uint16_t>(keys[begin] & 0xFFFFU));
  }
  if (lists.size() > UINT32_MAX) throw std::length_error("too many words for one segment");
  postings_.begins_.push_back(static_cast<std::uint32_t>(lists.size()));
  postings_.addCounts(keys.size(), bodies);
}

Postings PostingsBuilder::build() {
  postings_.lists_.shrink();
  return std::move(postings_);
}

} // namespace skillhost::keyword
