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
  const bool text = namesText(file) || bytes.starts_with("#!");
  if (!text && bytes.find('\0') < sniffed) return {};
  return bytes;
}

} // namespace skillhost
