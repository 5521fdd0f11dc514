// SPDX-License-Identifier: Apache-2.0
#include "skillcheck/inspect_text.hpp"

#include "ground/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t sniffed = 8192; // a text has no NUL among these first bytes

} // namespace

std::string readableText(std::string bytes, std::string_view file) {
  std::string room;
  const std::string_view decoded = withoutUtf16(bytes, room);
  if (decoded.data() != bytes.data()) return std::string(decoded);
  if (isData(bytes, file)) return {};
  return bytes;
}

bool isData(std::string_view bytes, std::string_view file) {
  const bool isText = namesText(file) || bytes.starts_with("#!");
  return !isText && bytes.substr(0, sniffed).find('\0') != std::string_view::npos;
}

} // namespace skillhost
