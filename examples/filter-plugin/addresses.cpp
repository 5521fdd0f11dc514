// SPDX-License-Identifier: Apache-2.0
#include "addresses.hpp"

#include <algorithm>
#include <cstddef>

namespace redact {
namespace {

bool isLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool isOfName(char c) {
  return isLetterOrDigit(c) || std::string_view("._%+-").find(c) != std::string_view::npos;
}
bool isOfDomain(char c) { return isLetterOrDigit(c) || c == '.' || c == '-'; }

} // namespace

std::string withoutAddresses(std::string_view text, std::string_view replacement,
                             const std::vector<std::string> &kept) {
  std::string out;
  std::size_t copied = 0; // bytes of the text that are in `out`, or replaced there
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at + 1)) {
    std::size_t begin = at, end = at + 1;
    while (begin > copied && isOfName(text[begin - 1])) --begin;
    while (end < text.size() && isOfDomain(text[end])) ++end;
    while (end > at + 1 && !isLetterOrDigit(text[end - 1])) --end; // the end of a sentence
    const std::string_view domain = text.substr(at + 1, end - at - 1);
    if (begin == at || domain.find('.') == domain.npos) continue;
    if (std::find(kept.begin(), kept.end(), domain) != kept.end()) continue;
    out.append(text.substr(copied, begin - copied)).append(replacement);
    copied = end;
  }
  return out.append(text.substr(copied));
}

} // namespace redact
