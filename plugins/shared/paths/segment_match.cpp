// SPDX-License-Identifier: Apache-2.0
#include "segment_match.hpp"

#include <cstddef>

namespace skillhost::paths {
namespace {

constexpr std::size_t none = std::string_view::npos;

// Length in bytes of the UTF-8 character at `at`; 1 for what is not valid.
std::size_t characterSize(std::string_view text, std::size_t at) noexcept {
  std::size_t size = 1;
  if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0xC0U) return size;
  while (at + size < text.size() &&
         (static_cast<unsigned char>(text[at + size]) & 0xC0U) == 0x80U) {
    ++size;
  }
  return size;
}

// The UTF-8 order of bytes is the order of code points, so characters compare as texts.
std::string_view takeCharacter(std::string_view text, std::size_t &at) noexcept {
  const std::string_view character = text.substr(at, characterSize(text, at));
  at += character.size();
  return character;
}

std::string_view takeLiteral(std::string_view pattern, std::size_t &at) noexcept {
  if (pattern[at] == '\\') ++at;
  return takeCharacter(pattern, at);
}

std::size_t afterNegation(std::string_view pattern, std::size_t at) noexcept {
  return at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^') ? at + 1 : at;
}

// `at` is after '['. Returns the position after the closing ']', which may stand first as itself.
std::size_t setEnd(std::string_view pattern, std::size_t at) noexcept {
  at = afterNegation(pattern, at);
  for (bool first = true; at < pattern.size(); first = false) {
    if (pattern[at] == ']' && !first) return at + 1;
    if (pattern[at] == '\\' && at + 1 >= pattern.size()) return none;
    takeLiteral(pattern, at);
  }
  return none;
}

bool inSet(std::string_view pattern, std::size_t at, std::string_view character) noexcept {
  const std::size_t end = setEnd(pattern, at) - 1;
  const std::size_t start = afterNegation(pattern, at);
  bool found = false;
  for (std::size_t i = start; i < end;) {
    const std::string_view low = takeLiteral(pattern, i);
    std::string_view high = low;
    if (i + 1 < end && pattern[i] == '-') high = takeLiteral(pattern, ++i);
    found = found || (low <= character && character <= high);
  }
  return found != (start != at);
}

// Matches one character of the name against what stands at `at` in the pattern, and moves past it.
bool matchOne(std::string_view pattern, std::size_t &at, std::string_view character) noexcept {
  if (pattern[at] == '?') {
    ++at;
    return true;
  }
  if (pattern[at] != '[') return takeLiteral(pattern, at) == character;
  const std::size_t set = at + 1;
  at = setEnd(pattern, set);
  return inSet(pattern, set, character);
}

} // namespace

bool matchSegment(std::string_view pattern, std::string_view name) noexcept {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t afterStar = none;
  std::size_t retry = 0;
  while (in < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      afterStar = ++at;
      retry = in;
      continue;
    }
    std::size_t next = in;
    if (at < pattern.size() && matchOne(pattern, at, takeCharacter(name, next))) {
      in = next;
    } else if (afterStar != none) {
      takeCharacter(name, retry);
      at = afterStar;
      in = retry;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

const char *segmentFault(std::string_view pattern) noexcept {
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '[') {
      at = setEnd(pattern, at + 1);
      if (at == none) return R"(has a "[" without its "]")";
    } else if (pattern[at] == '\\' && at + 1 == pattern.size()) {
      return "ends in a backslash";
    } else {
      takeLiteral(pattern, at);
    }
  }
  return nullptr;
}

} // namespace skillhost::paths
