// SPDX-License-Identifier: Apache-2.0
// A text as its interpreter or reader sees it, without the tricks that hide words from a search.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct NormalisedText {
  // Behind `at` in the text, bytes correspond one by one to those behind `original`.
  struct Anchor {
    std::size_t at, original;
  };
  std::string text;
  std::vector<Anchor> anchors; // in order, the first at 0

  // Returns the position of a byte of the text in the original.
  std::size_t originalOf(std::size_t at) const noexcept;
};

// Joins continued lines (a backslash, PowerShell's backtick or cmd's caret before the break, or a
// pipe at the end), removes invisible characters, turns look-alike, full-width and mathematical
// letters into ASCII letters, joins `cu""rl` and 'cu'+'rl', and replaces `${IFS}` and no-break
// spaces by blanks. Takes linear time. `original` may be any bytes.
NormalisedText normalise(std::string_view original);

} // namespace skillhost
