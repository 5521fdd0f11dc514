// SPDX-License-Identifier: Apache-2.0
#include "skillmd/name_rules.hpp"

#include <algorithm>

namespace skillhost {
namespace {

constexpr std::size_t maxBasicNameLength = 99;

bool lowerOrDigit(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool basicNameByte(char c) noexcept {
  return lowerOrDigit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

} // namespace

bool keepsBasicNameRule(std::string_view name) noexcept {
  return !name.empty() && name.size() <= maxBasicNameLength &&
         std::all_of(name.begin(), name.end(), basicNameByte);
}

std::string_view brokenNameRule(std::string_view name) noexcept {
  if (name.empty()) return "it is empty";
  if (!std::all_of(name.begin(), name.end(), [](char c) { return lowerOrDigit(c) || c == '-'; }))
    return "it holds something other than lower-case letters, digits and hyphens";
  if (name.size() > 64) return "it is longer than 64 characters";
  if (name.front() == '-' || name.back() == '-') return "it begins or ends with a hyphen";
  if (name.find("--") != std::string_view::npos) return "it holds two hyphens in a row";
  return {};
}

std::size_t countUtf16(std::string_view text) noexcept {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

} // namespace skillhost
