// SPDX-License-Identifier: Apache-2.0
#include "value_text.hpp"

#include "ground/text.hpp"
#include "skillmd/characters.hpp"

#include "ground/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace skillhost {
namespace {

// The characters that editors show for the bytes 80 to 9F, where Latin-1 has control characters.
constexpr std::array<std::uint32_t, 32> windows1252{
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

std::size_t indentOf(std::string_view line) noexcept {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

std::size_t commonIndent(std::string_view lines) noexcept {
  std::size_t common = npos;
  for (std::string_view rest = lines; !rest.empty();) {
    const std::string_view line = firstLine(rest);
    rest.remove_prefix(line.size());
    if (!trimmedAsciiSpace(line).empty()) common = std::min(common, indentOf(line));
  }
  return common == npos ? 0 : common;
}

// Returns the length of `|` or `>` with its indicators; npos if `first` begins otherwise.
std::size_t barLength(std::string_view first) noexcept {
  if (first.empty() || (first[0] != '|' && first[0] != '>')) return npos;
  std::size_t at = 1;
  while (at < first.size() && at < 3 && (first[at] == '-' || first[at] == '+' || digit(first[at])))
    ++at;
  return at;
}

// Folds as YAML does: a line break becomes a space, an empty line a line break.
std::string foldedText(std::string text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\n') {
      out += text[at];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && text[end] == '\n') ++end;
    if (end - at == 1)
      out += ' ';
    else
      out.append(end - at - 1, '\n');
    at = end - 1;
  }
  return out;
}

// Removes quotation marks around the whole text, which only mark it as text.
std::string withoutQuotes(std::string_view text) {
  const char mark = text.empty() ? '\0' : text[0];
  if (mark != '"' && mark != '\'') return std::string(text);
  const bool closed = text.size() > 1 && text.back() == mark;
  const std::string_view inside = text.substr(1, text.size() - (closed ? 2 : 1));
  if (!closed && inside.find(mark) != npos) return std::string(text); // such as "this" and more
  std::string out;
  for (std::size_t at = 0; at < inside.size(); ++at) {
    const char next = at + 1 < inside.size() ? inside[at + 1] : '\0';
    if (mark == '"' && inside[at] == '\\' && (next == '"' || next == '\\')) ++at;
    if (mark == '\'' && inside[at] == '\'' && next == '\'') ++at;
    out += inside[at];
  }
  return out;
}

// Returns the number behind `\u`, `\U` or `\x` at `at`, if all its `figures` are present.
std::optional<std::uint32_t> escaped(std::string_view yaml, std::size_t at, char kind,
                                     std::size_t figures) noexcept {
  const std::string_view text = yaml.substr(std::min(at, yaml.size()), 2 + figures);
  if (text.size() != 2 + figures || text[0] != '\\' || text[1] != kind) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Appends the escape at `at` in a form that YAML accepts, and returns its original length.
std::size_t appendEscape(std::string &out, std::string_view yaml, std::size_t at) {
  const char kind = at + 1 < yaml.size() ? yaml[at + 1] : '\0';
  const std::size_t figures = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
  if (figures == 0) {
    constexpr std::string_view known = "0abtnvfre \"/\\N_LP\t\r\n";
    if (kind != '\0' && known.find(kind) != npos) {
      out += yaml.substr(at, 2);
      return 2;
    }
    out += "\\\\";
    return 1;
  }
  const std::optional<std::uint32_t> value = escaped(yaml, at, kind, figures);
  if (!value) {
    out += "\\\\";
    return 1;
  }
  const bool high = *value >= 0xD800 && *value < 0xDC00;
  if (!high && (*value < 0xDC00 || *value >= 0xE000) && *value <= 0x10FFFF) {
    out += yaml.substr(at, 2 + figures);
    return 2 + figures;
  }
  const std::optional<std::uint32_t> low = escaped(yaml, at + 6, 'u', 4);
  if (high && kind == 'u' && low && *low >= 0xDC00 && *low < 0xE000) {
    appendUtf8(out, 0x10000U + ((*value - 0xD800U) << 10U) + (*low - 0xDC00U));
    return 12;
  }
  appendUtf8(out, 0xFFFD);
  return 2 + figures;
}

} // namespace

std::string linesText(std::string_view lines) {
  const std::size_t common = commonIndent(lines);
  std::string out;
  for (std::string_view rest = lines; !rest.empty();) {
    std::string_view line = firstLine(rest);
    rest.remove_prefix(line.size());
    while (!line.empty() && std::string_view(" \t\r\n").find(line.back()) != npos)
      line.remove_suffix(1);
    out += line.substr(std::min(common, line.size()));
    out += '\n';
  }
  return std::string(trimmedAsciiSpace(out));
}

std::string valueText(const FrontMatterEntry &entry) {
  if (const std::size_t bar = barLength(entry.first); bar != npos) {
    std::string text(trimmedAsciiSpace(entry.first.substr(bar)));
    if (const std::string below = linesText(entry.rest); !below.empty())
      text += (text.empty() ? "" : "\n") + below;
    return entry.first[0] == '>' ? foldedText(std::move(text)) : text;
  }
  std::string text(entry.first);
  bool blank = false;
  for (std::string_view rest = entry.rest; !rest.empty();) {
    const std::string_view line = firstLine(rest);
    rest.remove_prefix(line.size());
    const std::string_view shown = trimmedAsciiSpace(line);
    if (shown.empty()) {
      blank = true;
      continue;
    }
    if (shown[0] == '#' && line[0] == '#') continue; // a comment
    const bool indented = line[0] == ' ' || line[0] == '\t';
    if (!text.empty()) text += blank || !indented ? '\n' : ' ';
    text += shown;
    blank = false;
  }
  return withoutQuotes(text);
}

std::string doubleQuoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
    case '"':
    case '\\':
      out += '\\';
      out += text[at];
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      // YAML takes these characters for line breaks, unlike other readers.
      if (text.substr(at, 2) == "\xC2\x85") {
        out += "\\u0085";
        at += 1;
      } else if (text.substr(at, 3) == "\xE2\x80\xA8" || text.substr(at, 3) == "\xE2\x80\xA9") {
        out += text[at + 2] == '\xA8' ? "\\u2028" : "\\u2029";
        at += 2;
      } else {
        out += text[at];
      }
    }
  }
  return out + '"';
}

std::string withoutTabs(std::string_view yaml) {
  std::string out;
  bool indentation = true;
  for (std::size_t at = 0; at < yaml.size(); ++at) {
    const char c = yaml[at];
    if (c == '\t' && indentation) {
      out += "  ";
    } else if (c == '\t' && (yaml[at - 1] == ':' || yaml[at - 1] == '-')) {
      out += ' ';
    } else {
      out += c;
    }
    indentation = c == '\n' || (indentation && (c == ' ' || c == '\t'));
  }
  return out;
}

std::string withReadableEscapes(std::string_view yaml) {
  std::string out;
  bool inside = false; // within double quotes, the only place for escapes
  for (std::size_t at = 0; at < yaml.size();) {
    if (yaml[at] == '"') inside = !inside;
    if (inside && yaml[at] == '\\')
      at += appendEscape(out, yaml, at);
    else
      out += yaml[at++];
  }
  return out;
}

std::string withReadableBytes(std::string_view yaml) {
  std::string out;
  while (!yaml.empty()) {
    const std::size_t valid = validUtf8Prefix(yaml);
    for (const char c : yaml.substr(0, valid)) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte >= 0x20 && byte != 0x7F) || c == '\n' || c == '\r' || c == '\t') out += c;
    }
    yaml.remove_prefix(valid);
    if (yaml.empty()) break;
    const auto byte = static_cast<unsigned char>(yaml[0]);
    appendUtf8(out, byte < 0xA0 ? windows1252[byte - 0x80U] : byte);
    yaml.remove_prefix(1);
  }
  return out;
}

std::string withoutIndent(std::string_view yaml) {
  const std::size_t common = commonIndent(yaml);
  if (common == 0) return std::string(yaml);
  std::string out;
  while (!yaml.empty()) {
    const std::string_view line = firstLine(yaml);
    yaml.remove_prefix(line.size());
    out += line.substr(std::min(common, indentOf(line)));
  }
  return out;
}

} // namespace skillhost
