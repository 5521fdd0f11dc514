// SPDX-License-Identifier: Apache-2.0
#include "ground/shown.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdint>

namespace skillhost {
namespace {

enum class Form : std::uint8_t { Text, Line, Json };

constexpr std::string_view hexDigits = "0123456789abcdef";

bool isHarmless(char c) noexcept { return c >= ' ' && c < '\x7f'; }

// Returns true for C1 controls, and for Unicode characters that break a line or change the
// direction of text.
bool isHidden(std::uint32_t point) noexcept {
  return (point >= 0x80 && point < 0xA0) || point == 0x061C || point == 0x200E || point == 0x200F ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

// Returns the code point of the valid two- or three-byte character in `text`.
std::uint32_t pointOf(std::string_view text) noexcept {
  std::uint32_t point = static_cast<unsigned char>(text[0]) & (text.size() == 2 ? 0x1FU : 0x0FU);
  for (const char c : text.substr(1))
    point = (point << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  return point;
}

void appendPoint(std::string &out, std::uint32_t point) {
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += hexDigits[(point >> shift) & 15U];
}

// Appends an escape for a control character or a byte that is not UTF-8. JSON has no \x.
void appendByte(std::string &out, char c, Form form) {
  constexpr std::uint32_t replacement = 0xFFFD;
  const auto byte = static_cast<unsigned char>(c);
  if (form == Form::Json) return appendPoint(out, byte < 0x80 ? byte : replacement);
  out.append({'\\', 'x', hexDigits[byte >> 4U], hexDigits[byte & 15U]});
}

std::string shownAs(std::string_view text, Form form) {
  if (std::all_of(text.begin(), text.end(), isHarmless)) return std::string(text);
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const auto lead = static_cast<unsigned char>(c);
    if (lead < 0x80) {
      const bool isSpace = c == '\n' || c == '\t' || (c == '\r' && form == Form::Line);
      if (isSpace)
        out += form == Form::Line ? ' ' : c;
      else if (isHarmless(c))
        out += c;
      else
        appendByte(out, c, form);
      ++at;
      continue;
    }
    const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::string_view character = text.substr(at, size);
    if (character.size() < size || validUtf8Prefix(character) < size) {
      appendByte(out, c, form);
      ++at;
      continue;
    }
    const std::uint32_t point = size < 4 ? pointOf(character) : 0;
    if (isHidden(point))
      appendPoint(out, point);
    else
      out += character;
    at += size;
  }
  return out;
}

} // namespace

std::string shownText(std::string_view text) { return shownAs(text, Form::Text); }
std::string shownLine(std::string_view text) { return shownAs(text, Form::Line); }

void printJsonText(std::FILE *to, std::string_view json) {
  std::string text = shownAs(json, Form::Json);
  if (!text.ends_with('\n')) text += '\n';
  std::fwrite(text.data(), 1, text.size(), to);
}

void printShown(std::FILE *to, const char *format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  if (length > 0) std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  text = shownText(text);
  std::fwrite(text.data(), 1, text.size(), to);
}

} // namespace skillhost
