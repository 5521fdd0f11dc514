// SPDX-License-Identifier: Apache-2.0
#include "front_matter_entries.hpp"

#include "ground/text.hpp"
#include "skillmd/characters.hpp"

#include <algorithm>
#include <string>

namespace skillhost {
namespace {

constexpr std::size_t maxLines = 1000;
constexpr std::string_view wideColon = "\xEF\xBC\x9A"; // U+FF1A, typed on Chinese keyboards

bool keyCharacter(char c) noexcept {
  return letter(c) || digit(c) || c == '_' || c == '-' || c == '.';
}

// Returns the length of the quoted value at the start of `text`, up to the end of its last line; 0
// if it is not closed or something follows it.
std::size_t quotedLength(std::string_view text) noexcept {
  const char mark = text[0];
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (mark == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == mark) {
      if (mark == '\'' && at + 1 < text.size() && text[at + 1] == mark) {
        ++at;
        continue;
      }
      const std::string_view after = firstLine(text.substr(at + 1));
      const std::string_view shown = trimmedAsciiSpace(after);
      return shown.empty() || shown[0] == '#' ? at + 1 + after.size() : 0;
    }
  }
  return 0;
}

} // namespace

std::string_view firstLine(std::string_view text) noexcept {
  const std::size_t end = text.find('\n');
  return text.substr(0, end == npos ? npos : end + 1);
}

std::size_t keyLength(std::string_view line) noexcept {
  std::size_t at = 0;
  const bool quoted = !line.empty() && (line[0] == '"' || line[0] == '\'');
  if (quoted) ++at;
  const std::size_t start = at;
  while (at < line.size() && keyCharacter(line[at])) ++at;
  if (at == start || line[start] == '-' || line[start] == '.') return 0;
  if (quoted) {
    if (at == line.size() || line[at] != line[0]) return 0;
    ++at;
  }
  if (line.substr(at, wideColon.size()) == wideColon) return at + wideColon.size();
  if (at == line.size() || line[at] != ':') return 0;
  ++at;
  return at == line.size() || std::string_view(" \t\r\n").find(line[at]) != npos ? at : 0;
}

std::optional<std::vector<FrontMatterEntry>> cutEntries(std::string_view yaml) {
  std::vector<FrontMatterEntry> entries;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < yaml.size();) {
    const std::string_view line = firstLine(yaml.substr(at));
    std::size_t length = line.size();
    if (const std::size_t key = keyLength(line); key != 0 || entries.empty()) {
      FrontMatterEntry entry;
      entry.line = lines;
      entry.text = yaml.substr(at);
      if (key != 0) {
        const std::size_t colon = line[key - 1] == ':' ? 1 : wideColon.size();
        entry.key = line.substr(0, key - colon);
        entry.first = trimmedAsciiSpace(line.substr(key));
        if (!entry.first.empty() && (entry.first[0] == '"' || entry.first[0] == '\'')) {
          const auto value = static_cast<std::size_t>(entry.first.data() - yaml.data());
          if (const std::size_t quoted = quotedLength(yaml.substr(value)); quoted != 0)
            length = value + quoted - at;
        }
      }
      if (!entries.empty()) {
        FrontMatterEntry &before = entries.back();
        before.text.remove_suffix(entry.text.size());
      }
      entries.push_back(entry);
    }
    const std::string_view taken = yaml.substr(at, length);
    lines += static_cast<std::size_t>(std::count(taken.begin(), taken.end(), '\n'));
    if (lines > maxLines) return std::nullopt;
    at += length;
  }
  for (FrontMatterEntry &entry : entries)
    entry.rest = entry.text.substr(firstLine(entry.text).size());
  return entries;
}

} // namespace skillhost
