// SPDX-License-Identifier: Apache-2.0
#include "base/document_path.hpp"

#include "ground/utf8.hpp"

#include <algorithm>

namespace skillhost {

std::string_view faultInDocumentPath(std::string_view path) noexcept {
  if (path.empty()) return "is empty";
  if (path.size() > maxDocumentPathBytes) return "is too long";
  if (!isUtf8(path)) return "is not UTF-8";
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return "has a control character";
    if (c == '\\') return "has a backslash";
  }
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment.empty()) return "is absolute or has an empty segment";
    if (segment == "." || segment == "..") return "has a segment . or ..";
    begin = end + 1;
  }
  return {};
}

} // namespace skillhost
