// SPDX-License-Identifier: Apache-2.0
#include "character_map.hpp"

#include <skillhost/plugin.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <cstring>

namespace skillhost::embedding {
namespace {

// Longest sequence and longest replacement that are read, in bytes. Those of NFKC have 16 and 33.
constexpr std::size_t maxKeyBytes = 64, maxReplacementBytes = 256;
constexpr std::string_view noCharacter = "\xef\xbf\xbd"; // U+FFFD

// The parts of a unit of the trie.
constexpr std::uint32_t leafBit = std::uint32_t{1} << 31U;
constexpr std::uint32_t hasLeaf(std::uint32_t unit) { return unit >> 8U & 1U; }
constexpr std::uint32_t label(std::uint32_t unit) { return unit & (leafBit | 0xffU); }
constexpr std::uint32_t offset(std::uint32_t unit) {
  return unit >> 10U << ((unit & (1U << 9U)) >> 6U);
}

} // namespace

CharacterMap::CharacterMap(std::string_view bytes, const std::string &called) {
  if (bytes.empty()) return;
  const auto refuse = [&called](const char *why) {
    throw skh::Error(SKH_INVALID, called + " precompiled_charsmap " + why);
  };
  std::uint32_t size = 0; // of the trie, in bytes
  if (bytes.size() < sizeof size) refuse("is cut off");
  std::memcpy(&size, bytes.data(), sizeof size); // little endian, like all supported machines
  bytes.remove_prefix(sizeof size);
  if (size == 0 || size % sizeof(std::uint32_t) != 0 || size > bytes.size())
    refuse("has a trie of the wrong size");
  units_.resize(size / sizeof(std::uint32_t));
  std::memcpy(units_.data(), bytes.data(), size);
  replacements_ = bytes.substr(size);
  std::size_t begin = 0;
  for (; begin < replacements_.size();) {
    const std::size_t end = replacements_.find('\0', begin);
    if (end == std::string::npos) refuse("is cut off");
    if (end - begin > maxReplacementBytes) refuse("has a replacement that is too long");
    begin = end + 1;
  }
  // A leaf beyond the end would be a replacement without an end.
  for (const std::uint32_t unit : units_)
    if ((unit & leafBit) != 0 && (unit & ~leafBit) > replacements_.size())
      refuse("has a replacement that is not there");
}

CharacterMap::Replacement CharacterMap::first(std::string_view rest) const {
  const char *found = nullptr;
  std::size_t length = 0;
  std::size_t at = units_.empty() ? 0 : offset(units_.front());
  for (std::size_t each = 0; each < std::min(rest.size(), maxKeyBytes); ++each) {
    const auto byte = static_cast<unsigned char>(rest[each]);
    at ^= byte;
    if (at >= units_.size() || label(units_[at]) != byte) break;
    const std::uint32_t unit = units_[at];
    at ^= offset(unit);
    if (hasLeaf(unit) == 0 || at >= units_.size()) continue;
    found =
        replacements_.c_str() + std::min<std::size_t>(units_[at] & ~leafBit, replacements_.size());
    length = each + 1;
  }
  if (found != nullptr) return {found, length};
  utf8proc_int32_t character = 0;
  const utf8proc_ssize_t read =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t *>(rest.data()),
                       static_cast<utf8proc_ssize_t>(rest.size()), &character);
  if (read <= 0) return {noCharacter, 1};
  return {rest.substr(0, static_cast<std::size_t>(read)), static_cast<std::size_t>(read)};
}

std::string CharacterMap::normalise(std::string_view text, std::size_t maxBytes) const {
  std::string result;
  bool isAfterSpace = true; // spaces that begin the text are left out
  bool hasBegun = false;
  while (!text.empty() && result.size() < maxBytes) {
    const Replacement next = first(text);
    text.remove_prefix(next.length);
    if (!hasBegun && next.text == " ") continue;
    if (!hasBegun) result = spaceMark;
    hasBegun = true;
    for (const char each : next.text) {
      if (each != ' ')
        result += each;
      else if (!isAfterSpace)
        result += spaceMark;
      // SentencePiece leaves out only spaces that begin a replacement.
      isAfterSpace = isAfterSpace && each == ' ';
    }
    if (!next.text.empty()) isAfterSpace = next.text.ends_with(' ');
  }
  while (result.ends_with(spaceMark)) result.resize(result.size() - spaceMark.size());
  return result;
}

} // namespace skillhost::embedding
