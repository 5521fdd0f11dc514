// SPDX-License-Identifier: Apache-2.0
// Finds the place of a passage in a text, and whether the text does something there or only
// mentions it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

enum class PlaceKind : std::uint8_t {
  Prose,
  FrontMatter,
  Code,       // a fenced or indented block of a document
  InlineCode, // between backticks
  Hidden,     // in an HTML comment
  Script,     // a file that is executed, or configures an execution
  ScriptComment,
};

enum class ContentKind : std::uint8_t { Document, Script };

// Returns the kind by the extension or name of the file, or by a `#!` at the start of the text.
ContentKind kindOf(std::string_view file, std::string_view text) noexcept;

class Context {
public:
  Context(std::string_view text, ContentKind kind);

  std::size_t lines() const noexcept { return lines_.size(); }
  std::string_view line(std::size_t number) const noexcept;
  std::size_t begin(std::size_t number) const noexcept { return lines_[number].begin; }
  // Returns the number of the line with this byte.
  std::size_t lineAt(std::size_t offset) const noexcept;
  PlaceKind placeOf(std::size_t number, std::size_t offset) const noexcept;
  // Returns the line with the mark that opened the block around this line; the line itself if it is
  // in no block, or if it is this line.
  std::size_t fenceOf(std::size_t number) const noexcept { return lines_[number].fence; }
  ContentKind kind() const noexcept { return kind_; }
  // Returns true if the passage of `length` bytes at `offset` is quoted as an example of what must
  // not be done: its own sentence forbids it or calls it an attack, or the line that introduces its
  // block does, or in a block the comment above it calls it a bad example, or it is part of a
  // pattern that searches for it. Headings and other sentences do not count, because these are for
  // anybody to choose, nor does the comment above a command of a script, which is run.
  bool isForbiddenExample(std::size_t number, std::size_t offset, std::size_t length) const;
  bool quoted(std::size_t number, std::size_t offset) const noexcept;
  // The ranges of HTML comments; none for a script.
  const std::vector<std::pair<std::size_t, std::size_t>> &comments() const noexcept {
    return comments_;
  }

private:
  struct Line {
    std::size_t begin, end;
    std::uint32_t heading, fence; // line numbers of these; the line itself if none
    PlaceKind place;
  };
  void readDocument();
  bool isIntroducedAsForbidden(std::size_t number) const;

  std::string_view text_;
  ContentKind kind_;
  std::vector<Line> lines_;
  std::vector<std::pair<std::size_t, std::size_t>> comments_; // ranges of HTML comments
};

} // namespace skillhost
