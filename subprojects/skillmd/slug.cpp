// SPDX-License-Identifier: Apache-2.0
#include "skillmd/slug.hpp"

#include "ground/sha256.hpp"
#include "ground/text.hpp"
#include "skillmd/name_rules.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace skillhost {
namespace {

constexpr std::size_t maxSlugBytes = 64; // the format's limit for a name

struct MappedTextFreed {
  void operator()(utf8proc_uint8_t *text) const noexcept { std::free(text); } // NOLINT: from malloc
};

bool isAscii(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t *raw = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &raw,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_CASEFOLD | options));
  const std::unique_ptr<utf8proc_uint8_t, MappedTextFreed> freed(raw);
  return size < 0 ? std::string(text) : std::string(raw, raw + size);
}

// Returns the empty text if the name has too few usable characters.
std::string slugOf(std::string_view name) {
  // A name has no use for more bytes than this.
  constexpr std::size_t enough = 1024;
  name = name.substr(0, enough);
  const std::string plain =
      isAscii(name) ? asciiLowered(name) : mapped(name, UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK);
  std::string slug;
  std::size_t kept = 0, foreign = 0;
  for (const char c : plain) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += c;
      ++kept;
      continue;
    }
    if (byte >= 0xC0) ++foreign; // the first byte of a character
    if (!slug.empty() && slug.back() != '-') slug += '-';
  }
  if (kept == 0 || foreign > kept) return {};
  if (slug.size() > maxSlugBytes) slug.resize(maxSlugBytes);
  while (slug.ends_with('-')) slug.pop_back();
  return slug;
}

bool isWhite(utf8proc_int32_t character) noexcept {
  constexpr utf8proc_int32_t byteOrderMark = 0xFEFF; // white space only in JavaScript
  const utf8proc_property_t &property = *utf8proc_get_property(character);
  return property.category == UTF8PROC_CATEGORY_ZS ||
         property.bidi_class == UTF8PROC_BIDI_CLASS_WS ||
         property.bidi_class == UTF8PROC_BIDI_CLASS_B ||
         property.bidi_class == UTF8PROC_BIDI_CLASS_S || character == byteOrderMark;
}

} // namespace

bool onlyWhiteSpace(std::string_view text) noexcept {
  while (!text.empty()) {
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t size =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
                         static_cast<utf8proc_ssize_t>(text.size()), &character);
    if (size < 1 || !isWhite(character)) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

std::string toolNameOf(std::string_view name, std::string_view folderName) {
  if (brokenNameRule(name).empty()) return std::string(name);
  if (std::string slug = slugOf(name); !slug.empty()) return slug;
  if (std::string slug = slugOf(folderName); !slug.empty()) return slug;
  return "skill-" + sha256Hex(name).substr(0, 12);
}

std::string foldedName(std::string_view name) {
  name = trimmedAsciiSpace(name);
  return isAscii(name) ? asciiLowered(name) : mapped(name, UTF8PROC_COMPOSE);
}

} // namespace skillhost
