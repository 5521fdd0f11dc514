// SPDX-License-Identifier: Apache-2.0
// Finds where the front matter of a document begins and ends, without looking inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skillhost {

struct FrontMatterBlock {
  enum class State : std::uint8_t { Missing, Unclosed, Closed };
  State state = State::Missing;
  std::string_view yaml;      // between the two lines, with its last line break
  std::size_t offset = 0;     // of yaml in the document
  std::size_t line = 2;       // of the document where yaml begins
  std::size_t bodyOffset = 0; // the byte after the closing line; 0 unless Closed
};

// The document may begin with a byte order mark. The first line is `---`, the closing line is the
// next `---`; both may be followed by spaces, and the last line of the document may lack its break.
FrontMatterBlock findFrontMatter(std::string_view document) noexcept;

// Where a person sees front matter in a document that findFrontMatter finds none in: something
// stands before the first `---`, a delimiter has text or spaces around it, or is not there. Nothing
// when the document ends before a body begins: it was cut off. Closed or Missing; at most 1,000
// lines.
FrontMatterBlock findLooseFrontMatter(std::string_view document) noexcept;

} // namespace skillhost
