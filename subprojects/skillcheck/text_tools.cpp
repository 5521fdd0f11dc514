// SPDX-License-Identifier: Apache-2.0
#include "text_tools.hpp"

#include "skillmd/characters.hpp"

#include "ground/base64.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxOutput = 16'384; // bytes of a text that a substitution may make longer

// Returns the number at `at` with at most `maxDigits` digits in this base, and moves `at` behind
// it.
unsigned numberAt(std::string_view text, std::size_t &at, std::size_t maxDigits, unsigned base) {
  unsigned value = 0;
  for (std::size_t end = at + maxDigits; at < std::min(end, text.size()); ++at) {
    const int digitValue = hexadecimalDigit(text[at]);
    if (digitValue < 0 || static_cast<unsigned>(digitValue) >= base) break;
    value = value * base + static_cast<unsigned>(digitValue);
  }
  return value;
}

// Returns the characters of a set of tr: ranges, escapes and two classes.
std::string setOf(std::string_view written) {
  for (const auto &[name, range] : {std::pair{"[:upper:]", "A-Z"}, std::pair{"[:lower:]", "a-z"}})
    if (written == name) written = range;
  const std::string plain = withoutEscapes(written);
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const bool isRange = i + 2 < plain.size() && plain[i + 1] == '-' && plain[i] <= plain[i + 2];
    if (!isRange) {
      out += plain[i];
      continue;
    }
    for (int c = static_cast<unsigned char>(plain[i]);
         c <= static_cast<unsigned char>(plain[i + 2]); ++c)
      out += static_cast<char>(c);
    i += 2;
  }
  return out;
}

} // namespace

std::optional<std::string> decodedBase64(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '=') continue;
    kept += c == '-' ? '+' : c == '_' ? '/' : c;
  }
  if (kept.size() % 4 == 1) kept.pop_back();
  if (kept.empty()) return std::nullopt;
  while (kept.size() % 4 != 0) kept += '=';
  if (std::optional<std::string> decoded = decodeBase64(kept)) return decoded;
  // Bits that are left over at the end are not canonical, but decoders ignore them.
  if (kept.size() < 8) return std::nullopt;
  return decodeBase64(std::string_view(kept).substr(0, kept.size() - 4));
}

std::optional<std::string> decodedBase32(std::string_view text) {
  std::string out;
  unsigned bits = 0;
  unsigned kept = 0;
  for (const char written : text) {
    const char c = asciiLowered(written);
    if (c == '=' || c == '\n' || c == ' ') continue;
    const unsigned value = letter(c)                ? static_cast<unsigned>(c - 'a')
                           : (c >= '2' && c <= '7') ? static_cast<unsigned>(c - '2') + 26
                                                    : 32;
    if (value == 32) return std::nullopt;
    bits = (bits << 5U | value) & 0xFFFFU;
    kept += 5;
    if (kept < 8) continue;
    kept -= 8;
    out += static_cast<char>(bits >> kept & 0xFFU);
  }
  return out;
}

std::string decodedHexadecimal(std::string_view text) {
  std::string out;
  int first = -1;
  for (const char c : text) {
    const int value = hexadecimalDigit(c);
    if (value < 0) continue;
    if (first < 0) {
      first = value;
      continue;
    }
    out += static_cast<char>(first * 16 + value);
    first = -1;
  }
  return out;
}

std::string withoutEscapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    std::size_t at = i + 1;
    switch (c) {
    case 'n':
      out += '\n';
      break;
    case 't':
      out += '\t';
      break;
    case 'r':
      break;
    case 'c':
      return out;
    case 'x':
    case 'u':
    case 'U': {
      const bool isBraced = at < text.size() && text[at] == '{';
      if (isBraced) ++at;
      const unsigned value = numberAt(text, at, c == 'x' && !isBraced ? 2 : c == 'u' ? 4 : 8, 16);
      if (isBraced && at < text.size() && text[at] == '}') ++at;
      if (value < 0x80 || c == 'x') out += static_cast<char>(value & 0xFFU);
      i = at - 1;
      break;
    }
    default:
      if (c < '0' || c > '7') {
        if (c != '\\' && c != '\'' && c != '"' && c != '/' && c != '`' && c != '$') out += '\\';
        out += c;
        break;
      }
      at = c == '0' ? i + 1 : i;
      out += static_cast<char>(numberAt(text, at, 3, 8) & 0xFFU);
      i = at - 1;
    }
  }
  return out;
}

std::string formatted(std::string_view format, std::span<const std::string> arguments) {
  const std::string plain = withoutEscapes(format);
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (plain[i] != '%' || i + 1 == plain.size()) {
      out += plain[i];
      continue;
    }
    ++i;
    while (i + 1 < plain.size() && (digit(plain[i]) || plain[i] == '-' || plain[i] == '.')) ++i;
    if (plain[i] == '%')
      out += '%';
    else if (next < arguments.size()) {
      const std::string &one = arguments[next++];
      out += plain[i] == 'b' ? withoutEscapes(one) : one;
    }
  }
  // The format is used again while arguments are left; a plain `%s` joins them.
  if (plain == "%s" || plain == "%b")
    while (next < arguments.size()) out += arguments[next++];
  return out;
}

std::string reversed(std::string_view text) {
  std::string out;
  while (!text.empty()) { // line by line, as rev does
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.append(text.substr(0, end).rbegin(), text.substr(0, end).rend());
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out;
}

std::string translated(std::string_view text, std::string_view from, std::string_view to) {
  const std::string old = setOf(from);
  const std::string fresh = setOf(to);
  std::array<int, 256> becomes{};
  for (std::size_t c = 0; c < 256; ++c) becomes[c] = static_cast<int>(c);
  for (std::size_t i = old.size(); i-- > 0;)
    becomes[static_cast<unsigned char>(old[i])] =
        fresh.empty() ? -1 : static_cast<unsigned char>(fresh[std::min(i, fresh.size() - 1)]);
  std::string out;
  for (const char c : text)
    if (const int value = becomes[static_cast<unsigned char>(c)]; value >= 0)
      out += static_cast<char>(value);
  return out;
}

std::string substituted(std::string_view text, std::string_view command) {
  if (command.size() < 4 || command[0] != 's') return std::string(text);
  const char mark = command[1];
  const std::size_t middle = command.find(mark, 2);
  const std::size_t end = middle == npos ? npos : command.find(mark, middle + 1);
  if (end == npos) return std::string(text);
  const std::string old = withoutEscapes(command.substr(2, middle - 2));
  const std::string fresh = withoutEscapes(command.substr(middle + 1, end - middle - 1));
  if (old.empty() || old.find_first_of(".*[^$") != npos) return std::string(text);
  const bool isGlobal = command.substr(end).find('g') != npos;
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(old); at != npos; at = text.find(old, from)) {
    out.append(text.substr(from, at - from)).append(fresh);
    from = at + old.size();
    if (!isGlobal || out.size() > text.size() + maxOutput) break;
  }
  return out.append(text.substr(from));
}

std::string withoutTags(std::string_view html) {
  constexpr std::size_t maxTag = 512; // bytes
  std::string out;
  for (std::size_t i = 0; i < html.size(); ++i) {
    const std::string_view rest = html.substr(i, maxTag);
    const bool isTag = rest.size() > 1 && rest[0] == '<' && (letter(rest[1]) || rest[1] == '/');
    const std::size_t end = isTag ? rest.find('>') : npos;
    if (end == npos) {
      out += html[i];
      continue;
    }
    if (asciiLowered(rest.substr(0, 3)) == "<br") out += '\n';
    i += end;
  }
  return withoutEntities(out);
}

std::string withoutEntities(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 22> names{
      {{"lt", '<'},       {"gt", '>'},    {"amp", '&'},    {"quot", '"'},   {"apos", '\''},
       {"nbsp", ' '},     {"vert", '|'},  {"verbar", '|'}, {"sol", '/'},    {"bsol", '\\'},
       {"period", '.'},   {"colon", ':'}, {"semi", ';'},   {"dollar", '$'}, {"lpar", '('},
       {"rpar", ')'},     {"grave", '`'}, {"equals", '='}, {"hyphen", '-'}, {"Tab", '\t'},
       {"NewLine", '\n'}, {"num", '#'}}};
  constexpr std::size_t maxEntity = 12; // bytes
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i, maxEntity);
    const std::size_t end = rest[0] == '&' ? rest.find(';') : npos;
    if (end == npos) {
      out += text[i];
      continue;
    }
    std::string_view name = rest.substr(1, end - 1);
    unsigned value = 0;
    if (name.starts_with('#')) {
      const bool isHexadecimal = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
      std::size_t at = isHexadecimal ? 2 : 1;
      value = numberAt(name, at, maxEntity, isHexadecimal ? 16 : 10);
    } else {
      for (const auto &[known, character] : names)
        if (name == known) value = static_cast<unsigned char>(character);
    }
    if (value == 0 || value >= 0x80) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(value);
    i += end;
  }
  return out;
}

std::string withoutZeroBytes(std::string_view text) {
  std::string out(text);
  std::erase(out, '\0');
  return out;
}

} // namespace skillhost
