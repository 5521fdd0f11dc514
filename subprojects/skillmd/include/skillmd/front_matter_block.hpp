// SPDX-License-Identifier: Apache-2.0
// Finds the beginning and end of a document's front matter without looking inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skillhost {

struct FrontMatterBlock {
  enum class State : std::uint8_t { Missing, Unclosed, Closed };
  State state = State::Missing;
  std::string_view yaml;      // the text between the two lines
  std::size_t offset = 0;     // position of yaml in the document
  std::size_t line = 2;       // line number at which yaml begins
  std::size_t bodyOffset = 0; // the byte behind the closing line; 0 unless Closed
};

// The first line must be `---`, possibly behind a byte order mark, and the next `---` closes. Both
// may be followed by spaces, and the last line of the document may lack its break.
FrontMatterBlock findFrontMatter(std::string_view document) noexcept;

// Finds front matter as a person sees it where findFrontMatter finds none: text precedes the first
// `---`, or a delimiter is missing or has text or spaces around it. Finds nothing if the document
// ends before a body begins, because it was cut off. Returns Closed or Missing; reads at most 1,000
// lines.
FrontMatterBlock findLooseFrontMatter(std::string_view document) noexcept;

} // namespace skillhost
