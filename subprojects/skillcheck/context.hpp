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
  PlaceKind placeOf(std::size_t number, std::size_t offset) const noexcept;
  // Returns true if nearby words call the passage an attack or forbid it: words in its line, in the
  // three lines before, in the heading, and before the fence. The passage has `length` bytes at
  // `offset` of the text. For `commands`, a "never" or the like before it counts, too.
  bool warns(std::size_t number, std::size_t offset, std::size_t length, bool commands) const;
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
  std::string_view near(std::size_t number) const noexcept;

  std::string_view text_;
  ContentKind kind_;
  std::vector<Line> lines_;
  std::vector<std::pair<std::size_t, std::size_t>> comments_; // ranges of HTML comments
};

} // namespace skillhost
