// SPDX-License-Identifier: Apache-2.0
// A segment holds a part of the entries with everything known about them, and never changes. New
// entries form a new segment, removed ones are noted beside it, and merging turns several into one.
#pragma once

#include "bodies.hpp"
#include "column.hpp"
#include "filter.hpp"
#include "ground/blake3.hpp"
#include "names.hpp"
#include "postings.hpp"

#include <memory>
#include <optional>
#include <span>

namespace skillhost::keyword {

inline constexpr std::size_t maxSegmentEntries =
    65'535; // entries; postings number them with 16 bits
// Size of postings and texts together.
inline constexpr std::size_t maxSegmentBytes = std::size_t{1} << 30U;

// Stores texts one behind the other.
class TextList {
public:
  void add(std::string_view text);
  std::size_t size() const noexcept { return ends_.size(); }
  std::string_view operator[](std::size_t number) const noexcept {
    const std::uint32_t begin = number == 0 ? 0 : ends_[number - 1];
    return {text_.data() + begin, ends_[number] - begin};
  }
  std::size_t bytes() const noexcept { return text_.size(); }
  void shrink();
  // Calls `take` with each column, in the order of the file.
  template <class List, class Take> static void forEachColumn(List &list, Take &&take) {
    take(list.text_);
    take(list.ends_);
  }
  void check() const; // throws Damaged if the columns contradict each other

private:
  Column<char> text_;
  Column<std::uint32_t> ends_;
};

// Words that prove parts of compounds to be words, and their counts.
struct WordCounts {
  TermTable words;
  Column<std::uint32_t> counts;
  void add(std::string_view word, std::uint32_t times = 1);
  void take(std::string_view word); // the word must have been added
};

// The views point into the segment.
struct Entry {
  std::string_view id, revision, name, description;
  Attributes attributes;
};

// Names of an entry: its name and its title, if the host gives one.
struct EntryNames {
  std::string_view name, title;
};

struct Segment {
  // Texts of each entry, in order of id: id, revision, name and description.
  static constexpr std::size_t textsOfEntry = 4;
  TextList texts;
  TextList attributeTexts;                 // name and value of each attribute in use
  Column<std::uint32_t> attributes;        // numbers of attributeTexts, entry after entry
  Column<std::uint32_t> attributeEnds;     // end of each entry in `attributes`
  PerField<Column<std::uint32_t>> lengths; // length of each field of each entry, in words
  PerField<Column<std::uint32_t>> runLengths;
  Postings words;
  Postings runs;      // runs of four characters, see forEachRun()
  Postings longWords; // unstemmed long words of names and keywords, possible compounds
  WordCounts vocabulary;
  Bodies bodies;
  struct Shapes {
    NameShape name, title;
  };
  std::vector<Shapes> shapes;        // shapes of each entry's name and title; not saved
  std::uint64_t file = 0;            // number of its file; 0: only in memory
  Blake3::Digest digest{};           // of the file's content without the bodies
  std::shared_ptr<const void> image; // owns the bytes that the columns are attached to; may be null

  // Calls `take` with each column that a file holds, in the order of the file.
  template <class Whole, class Take> static void forEachColumn(Whole &segment, Take &&take) {
    TextList::forEachColumn(segment.texts, take);
    TextList::forEachColumn(segment.attributeTexts, take);
    take(segment.attributes);
    take(segment.attributeEnds);
    for (auto *lengths : {&segment.lengths, &segment.runLengths})
      for (auto &field : *lengths) take(field);
    for (auto *postings : {&segment.words, &segment.runs, &segment.longWords})
      Postings::forEachColumn(*postings, take);
    TermTable::forEachColumn(segment.vocabulary.words, take);
    take(segment.vocabulary.counts);
  }

  std::size_t size() const noexcept { return attributeEnds.size(); }
  std::string_view id(std::size_t entry) const noexcept { return texts[entry * textsOfEntry]; }
  std::string_view revision(std::size_t entry) const noexcept {
    return texts[entry * textsOfEntry + 1];
  }
  std::string_view name(std::size_t entry) const noexcept {
    return texts[entry * textsOfEntry + 2];
  }
  std::string_view description(std::size_t entry) const noexcept {
    return texts[entry * textsOfEntry + 3];
  }
  std::span<const std::uint32_t> attributesOf(std::size_t entry) const noexcept {
    const std::uint32_t begin = entry == 0 ? 0 : attributeEnds[entry - 1];
    return std::span(attributes).subspan(begin, attributeEnds[entry] - begin);
  }
  Entry entry(std::size_t entry) const;
  EntryNames entryNames(std::size_t entry) const noexcept;
  void findShapes(); // needs the texts and attributes
  std::optional<std::uint16_t> find(std::string_view id) const noexcept;
  // Approximate memory without bodies.
  std::size_t bytes() const noexcept {
    return words.bytes() + runs.bytes() + texts.bytes() + attributeTexts.bytes();
  }
};

// Marks removed entries of a segment and counts them by term, so that a query does not go through
// the postings for it.
class RemovedEntries {
public:
  explicit RemovedEntries(std::size_t entries) : bits_((entries + 63) / 64) {}
  void add(std::uint16_t entry); // its terms are unknown until they are counted
  void addAll(std::size_t entries);
  // The counts are wrong until count() is called.
  void erase(std::uint16_t entry);
  bool contains(std::size_t entry) const noexcept {
    return (bits_[entry / 64] >> entry % 64 & 1U) != 0;
  }
  const std::vector<std::uint16_t> &entries() const noexcept { return entries_; } // ascending

  // Counts the terms of all removed entries from the segment's postings.
  void count(const Segment &segment);
  // Counts a term of one removed entry, in which it occurs that often in each field.
  void countWord(const Segment &segment, std::uint32_t term, Counts counts);
  void countRun(const Segment &segment, std::uint32_t term);
  // Returns how many counted entries contain the term.
  std::size_t withWord(std::uint32_t term) const noexcept {
    return words_.empty() ? 0 : words_[term];
  }
  std::size_t withWordInBodyAlone(std::uint32_t term) const noexcept {
    return inBodyAlone_.empty() ? 0 : inBodyAlone_[term];
  }
  std::size_t withWordInField(std::uint32_t term, std::size_t field) const noexcept {
    return inFields_.empty() ? 0 : inFields_[term][field];
  }
  std::size_t withRun(std::uint32_t term) const noexcept { return runs_.empty() ? 0 : runs_[term]; }

private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint16_t> entries_;
  std::vector<std::uint16_t> words_, inBodyAlone_, runs_; // by term; empty: no counts
  std::vector<PerField<std::uint16_t>> inFields_;         // likewise
};

} // namespace skillhost::keyword
