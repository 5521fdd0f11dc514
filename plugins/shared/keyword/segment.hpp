// SPDX-License-Identifier: Apache-2.0
// Some of the entries with everything that is known of them. A segment never changes: what is put
// makes a new one, what is removed is noted beside it, and several are merged into one.
#pragma once

#include "bodies.hpp"
#include "filter.hpp"
#include "ground/blake3.hpp"
#include "names.hpp"
#include "postings.hpp"

#include <memory>
#include <optional>
#include <span>

namespace skillhost::keyword {

inline constexpr std::size_t mostInSegment = 65'535; // entries: postings name them by 16 bits
inline constexpr std::size_t mostSegmentBytes = std::size_t{1} << 30U; // of postings and texts

// Texts one behind the other.
class TextList {
public:
  void add(std::string_view text);
  std::size_t size() const noexcept { return ends_.size(); }
  std::string_view operator[](std::size_t number) const noexcept {
    const std::uint32_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(text_).substr(begin, ends_[number] - begin);
  }
  std::size_t bytes() const noexcept { return text_.size(); }
  void shrink();
  void save(ByteWriter &out) const;
  static TextList load(ByteReader &in); // throws Damaged

private:
  std::string text_;
  std::vector<std::uint32_t> ends_;
};

// The words that vouch for the parts of compounds, and how often they do.
struct WordCounts {
  TermTable words;
  std::vector<std::uint32_t> counts;
  void add(std::string_view word, std::uint32_t times = 1);
  void take(std::string_view word); // of one that was added
};

// Views into the segment.
struct Entry {
  std::string_view id, revision, name, description;
  Attributes attributes;
};

// What an entry is called: its name and, where the host says that it has one, its title.
struct Called {
  std::string_view name, title;
};

struct Segment {
  // Of each entry, in order of id: id, revision, name and description.
  static constexpr std::size_t textsOfEntry = 4;
  TextList texts;
  TextList attributeTexts;                      // name and value of each attribute that occurs
  std::vector<std::uint32_t> attributes;        // numbers of those, of one entry after the other
  std::vector<std::uint32_t> attributeEnds;     // of each entry
  PerField<std::vector<std::uint32_t>> lengths; // of each field of each entry, in words
  PerField<std::vector<std::uint32_t>> runLengths;
  Postings words;
  Postings runs;      // of four characters, see forEachRun()
  Postings longWords; // of names and keywords together, before stemming: they may be compounds
  WordCounts vocabulary;
  Bodies bodies;
  struct Shapes {
    NameShape name, title;
  };
  std::vector<Shapes> shapes; // of what each entry is called; not saved
  std::uint64_t file = 0;     // its number in the folder; 0: in memory alone
  Blake3::Digest digest{};    // of what the file holds besides bodies

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
  Called called(std::size_t entry) const noexcept;
  void findShapes(); // once the texts and attributes are there
  std::optional<std::uint16_t> find(std::string_view id) const noexcept;
  // In memory, without bodies, about.
  std::size_t bytes() const noexcept {
    return words.bytes() + runs.bytes() + texts.bytes() + attributeTexts.bytes();
  }
};

// Which entries of a segment are gone, and how many of them have each term: a query does not go
// through the postings to find out.
class Dead {
public:
  explicit Dead(std::size_t entries) : bits_((entries + 63) / 64) {}
  void add(std::uint16_t entry); // of its terms nothing is known before count()
  bool contains(std::size_t entry) const noexcept {
    return (bits_[entry / 64] >> entry % 64 & 1U) != 0;
  }
  const std::vector<std::uint16_t> &entries() const noexcept { return entries_; } // ascending

  // Goes through all of the segment's postings.
  void count(const Segment &segment);
  // Of the next entry that was added: the terms it has there.
  void countWord(const Segment &segment, std::uint32_t term, bool isInBodyAlone);
  void countRun(const Segment &segment, std::uint32_t term);
  // How many of those that were counted have the term.
  std::size_t withWord(std::uint32_t term) const noexcept {
    return words_.empty() ? 0 : words_[term];
  }
  std::size_t withWordInBodyAlone(std::uint32_t term) const noexcept {
    return inBodyAlone_.empty() ? 0 : inBodyAlone_[term];
  }
  std::size_t withRun(std::uint32_t term) const noexcept { return runs_.empty() ? 0 : runs_[term]; }

private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint16_t> entries_;
  std::vector<std::uint16_t> words_, inBodyAlone_, runs_; // by term; empty: of none
};

} // namespace skillhost::keyword
