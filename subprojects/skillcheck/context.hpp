// SPDX-License-Identifier: Apache-2.0
// Where in a text something stands, and whether it is done there or spoken of.
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
  Hidden,     // in a comment of HTML
  Script,     // a file that is run or configures what is run
  ScriptComment,
};

enum class ContentKind : std::uint8_t { Document, Script };

// By the extension or name of the file, or the `#!` that the text begins with.
ContentKind kindOf(std::string_view file, std::string_view text) noexcept;

class Context {
public:
  Context(std::string_view text, ContentKind kind);

  std::size_t lines() const noexcept { return lines_.size(); }
  std::string_view line(std::size_t number) const noexcept;
  std::size_t begin(std::size_t number) const noexcept { return lines_[number].begin; }
  PlaceKind placeOf(std::size_t number, std::size_t offset) const noexcept;
  // Whether the words around say that what stands there is an attack, or must not be done: in the
  // line, in the three before it, in the heading, and before the fence. `length` bytes from
  // `offset` of the text are what is asked about. Of `commands`, "never" and its kin before it
  // count.
  bool warns(std::size_t number, std::size_t offset, std::size_t length, bool commands) const;
  bool quoted(std::size_t number, std::size_t offset) const noexcept;
  // Comments of HTML, from and to; none of a script.
  const std::vector<std::pair<std::size_t, std::size_t>> &comments() const noexcept {
    return comments_;
  }

private:
  struct Line {
    std::size_t begin, end;
    std::uint32_t heading, fence; // their lines; none: its own
    PlaceKind place;
  };
  void readDocument();
  std::string_view near(std::size_t number) const noexcept;

  std::string_view text_;
  ContentKind kind_;
  std::vector<Line> lines_;
  std::vector<std::pair<std::size_t, std::size_t>> comments_; // of HTML, from and to
};

} // namespace skillhost
