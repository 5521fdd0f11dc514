// SPDX-License-Identifier: Apache-2.0
// A text as what runs or reads it takes it: without what hides its words from a search.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct NormalisedText {
  // From `at` of the text on, bytes come one by one from `original` on.
  struct Anchor {
    std::size_t at, original;
  };
  std::string text;
  std::vector<Anchor> anchors; // in order, the first at 0

  // Where a byte of the text stands in the original.
  std::size_t originalOf(std::size_t at) const noexcept;
};

// Continued lines are joined (a backslash, PowerShell's backtick or cmd's caret before the break,
// or a pipe at the end), characters that nobody sees are left out, look-alike, full-width and
// mathematical letters become the ASCII ones they look like, `cu""rl` and 'cu'+'rl' lose what
// parts them, `${IFS}` and no-break spaces become blanks. Linear time; `original` may be any bytes.
NormalisedText normalise(std::string_view original);

} // namespace skillhost
