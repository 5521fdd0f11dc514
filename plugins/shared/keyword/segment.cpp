// SPDX-License-Identifier: Apache-2.0
#include "segment.hpp"

#include "ground/bytes.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace skillhost::keyword {

void TextList::add(std::string_view text) {
  if (text.size() > UINT32_MAX - text_.size())
    throw std::length_error("too much text for one segment");
  text_.append(text);
  ends_.push_back(static_cast<std::uint32_t>(text_.size()));
}

void TextList::shrink() {
  text_.shrink();
  ends_.shrink();
}

void TextList::check() const {
  if (!std::is_sorted(ends_.begin(), ends_.end()) ||
      (ends_.empty() ? 0 : ends_.back()) != text_.size())
    throw Damaged("texts that do not follow one another");
}

void WordCounts::add(std::string_view word, std::uint32_t times) {
  const std::uint32_t number = words.number(word);
  if (number >= counts.size()) counts.resize(words.size());
  counts.edit(number) += times;
}

void WordCounts::take(std::string_view word) {
  const auto number = words.find(word);
  if (number && counts[*number] > 0) --counts.edit(*number);
}

Entry Segment::entry(std::size_t entry) const {
  Entry made{id(entry), revision(entry), name(entry), description(entry), {}};
  for (const std::uint32_t attribute : attributesOf(entry))
    made.attributes.emplace_back(attributeTexts[std::size_t{2} * attribute],
                                 attributeTexts[std::size_t{2} * attribute + 1]);
  return made;
}

EntryNames Segment::entryNames(std::size_t entry) const noexcept {
  const std::string_view whole = name(entry);
  if (whole.find(' ') == std::string_view::npos) return {whole, {}};
  for (const std::uint32_t attribute : attributesOf(entry)) {
    if (attributeTexts[std::size_t{2} * attribute] != "title") continue;
    const std::string_view title = attributeTexts[std::size_t{2} * attribute + 1];
    if (title.empty() || whole.size() < title.size() + 2 || !whole.ends_with(title)) continue;
    const std::size_t blank = whole.size() - title.size() - 1;
    if (whole[blank] == ' ') return {whole.substr(0, blank), title};
  }
  return {whole, {}};
}

void Segment::findShapes() {
  shapes.clear();
  shapes.reserve(size());
  const auto shapeOf = [](std::string_view text) {
    return text.size() <= longestNameAsked ? NameShape(foldedName(text)) : NameShape();
  };
  for (std::size_t entry = 0; entry < size(); ++entry) {
    const EntryNames is = entryNames(entry);
    shapes.push_back({shapeOf(is.name), shapeOf(is.title)});
  }
}

std::optional<std::uint16_t> Segment::find(std::string_view wanted) const noexcept {
  std::size_t first = 0;
  std::size_t last = size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (id(middle) < wanted)
      first = middle + 1;
    else
      last = middle;
  }
  if (first == size() || id(first) != wanted) return std::nullopt;
  return static_cast<std::uint16_t>(first);
}

void RemovedEntries::add(std::uint16_t entry) {
  if (contains(entry)) return;
  entries_.insert(std::lower_bound(entries_.begin(), entries_.end(), entry), entry);
  bits_[entry / 64] |= std::uint64_t{1} << entry % 64;
}

void RemovedEntries::addAll(std::size_t entries) {
  entries_.resize(entries);
  std::iota(entries_.begin(), entries_.end(), std::uint16_t{0});
  for (const std::uint16_t entry : entries_) bits_[entry / 64] |= std::uint64_t{1} << entry % 64;
}

void RemovedEntries::erase(std::uint16_t entry) {
  if (!contains(entry)) return;
  entries_.erase(std::lower_bound(entries_.begin(), entries_.end(), entry));
  bits_[entry / 64] &= ~(std::uint64_t{1} << entry % 64);
}

void RemovedEntries::count(const Segment &segment) {
  const auto room = [this](const Postings &postings) {
    return entries_.empty() ? 0 : postings.terms().size();
  };
  words_.assign(room(segment.words), 0);
  inBodyAlone_.assign(room(segment.words), 0);
  inFields_.assign(room(segment.words), {});
  runs_.assign(room(segment.runs), 0);
  const auto having = [this](const Postings::Group &group) {
    return std::count_if(group.entries.begin(), group.entries.end(),
                         [this](std::uint16_t entry) { return contains(entry); });
  };
  const auto add = [](std::uint16_t &count, std::ptrdiff_t more) {
    count = static_cast<std::uint16_t>(count + more);
  };
  for (std::uint32_t term = 0; term < words_.size(); ++term)
    segment.words.forEachGroup(term, [&](const Postings::Group &group) {
      const auto gone = having(group);
      add(words_[term], gone);
      if (inBodyAlone(group.counts)) add(inBodyAlone_[term], gone);
      for (std::size_t field = 0; field < fieldCount; ++field)
        if (countIn(group.counts, field) > 0) add(inFields_[term][field], gone);
    });
  for (std::uint32_t term = 0; term < runs_.size(); ++term)
    segment.runs.forEachGroup(
        term, [&](const Postings::Group &group) { add(runs_[term], having(group)); });
}

void RemovedEntries::countWord(const Segment &segment, std::uint32_t term, Counts counts) {
  const std::size_t terms = segment.words.terms().size();
  if (words_.empty()) words_.resize(terms);
  if (inBodyAlone_.empty()) inBodyAlone_.resize(terms);
  if (inFields_.empty()) inFields_.resize(terms);
  ++words_[term];
  if (inBodyAlone(counts)) ++inBodyAlone_[term];
  for (std::size_t field = 0; field < fieldCount; ++field)
    if (countIn(counts, field) > 0) ++inFields_[term][field];
}

void RemovedEntries::countRun(const Segment &segment, std::uint32_t term) {
  if (runs_.empty()) runs_.resize(segment.runs.terms().size());
  ++runs_[term];
}

} // namespace skillhost::keyword
