// SPDX-License-Identifier: Apache-2.0
#include "skillmd/text_place.hpp"

#include "ground/utf8.hpp"

#include <algorithm>

namespace skillhost {

Finding placeOf(std::string_view document, std::string_view file, std::size_t offset) {
  const std::string_view before = document.substr(0, offset);
  const std::size_t lastBreak = before.rfind('\n');
  const std::size_t start = lastBreak == std::string_view::npos ? 0 : lastBreak + 1;
  Finding finding;
  finding.file = file;
  finding.line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  finding.column = countCharacters(before.substr(start)) + 1;
  return finding;
}

} // namespace skillhost
