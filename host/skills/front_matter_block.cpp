// SPDX-License-Identifier: Apache-2.0
#include "skills/front_matter_block.hpp"

namespace skillhost {
namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

// The length of a delimiter line at `at` with its line break, or 0.
std::size_t delimiterLength(std::string_view document, std::size_t at) noexcept {
  if (document.substr(at, 3) != "---") return 0;
  std::size_t end = at + 3;
  while (end < document.size() && (document[end] == ' ' || document[end] == '\t')) ++end;
  if (end < document.size() && document[end] == '\r') ++end;
  if (end == document.size()) return end - at;
  return document[end] == '\n' ? end + 1 - at : 0;
}

} // namespace

FrontMatterBlock findFrontMatter(std::string_view document) noexcept {
  FrontMatterBlock block;
  const std::size_t start = document.substr(0, 3) == byteOrderMark ? 3 : 0;
  const std::size_t opening = delimiterLength(document, start);
  if (opening == 0) return block;
  block.state = FrontMatterBlock::State::Unclosed;
  block.offset = start + opening;
  for (std::size_t line = block.offset; line < document.size();) {
    if (document[line] == '-')
      if (const std::size_t closing = delimiterLength(document, line); closing != 0) {
        block.state = FrontMatterBlock::State::Closed;
        block.yaml = document.substr(block.offset, line - block.offset);
        block.bodyOffset = line + closing;
        return block;
      }
    const std::size_t end = document.find('\n', line);
    if (end == std::string_view::npos) break;
    line = end + 1;
  }
  return block;
}

} // namespace skillhost
