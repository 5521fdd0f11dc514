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
  std::size_t offset = 0;     // of yaml in the document; yaml begins on line 2
  std::size_t bodyOffset = 0; // the byte after the closing line; 0 unless Closed
};

// The document may begin with a byte order mark. The first line is `---`, the closing line is the
// next `---`; both may be followed by spaces, and the last line of the document may lack its break.
FrontMatterBlock findFrontMatter(std::string_view document) noexcept;

} // namespace skillhost
