// SPDX-License-Identifier: Apache-2.0
#include "markdown.hpp"

#include "ground/json_text.hpp"
#include "plain_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace skillhost {
namespace {

constexpr std::size_t maxSpanBytes = 200;

// Returns true if the text behind '<' can begin an HTML tag: a name, a closing tag, a comment or a
// declaration.
bool opensTag(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return true; // the next byte is unknown
  const auto next = static_cast<unsigned char>(text[at + 1]);
  return std::isalpha(next) != 0 || next == '/' || next == '!' || next == '?';
}

std::string withoutMarkup(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<' && opensTag(text, at))
      out += "&lt;";
    else
      out += text[at];
    const bool mark = text[at] == '!' && at + 1 < text.size();
    if (mark && text[at + 1] == '[') out += '\\'; // an image
    if (mark && text[at + 1] == '`') out += ' ';  // a command
  }
  return out;
}

} // namespace

std::string quotedMarkdown(std::string_view words, std::size_t maxBytes) {
  std::string_view trimmed = words;
  while (!trimmed.empty() && std::isspace(static_cast<unsigned char>(trimmed.back())) != 0)
    trimmed.remove_suffix(1);
  const std::string text = withoutMarkup(visibleText(trimmed, maxBytes));
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    (out += line.empty() ? ">" : "> ").append(line) += '\n';
    begin = end + 1;
  }
  return out;
}

std::string inlineMarkdown(std::string_view words, std::size_t maxBytes) {
  std::string out;
  for (const char byte : visibleLine(words, maxBytes)) {
    if (byte == '<') {
      out += "&lt;";
      continue;
    }
    if (byte == '[' || byte == ']' || byte == '`' || byte == '*' || byte == '|' || byte == '\\')
      out += '\\';
    out += byte;
  }
  return out;
}

std::string quotedWords(std::string_view words, std::size_t maxBytes) {
  std::string text = inlineMarkdown(words, maxBytes);
  std::replace(text.begin(), text.end(), '"', '\'');
  return '"' + text + '"';
}

std::string codeSpan(std::string_view name) {
  std::string text;
  std::size_t longest = 0, run = 0;
  for (const char byte : visibleLine(name, maxSpanBytes)) {
    const char before = text.empty() ? '\0' : text.back();
    const bool acts =
        (before == '!' && (byte == '`' || byte == '[')) || (before == '<' && byte == '!');
    if (acts) text += ' ';
    text += byte;
    run = byte == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  if (text.ends_with('!')) text += ' '; // keeps the end of the code from beginning a command
  const std::string fence(longest + 1, '`');
  return longest == 0 ? fence + text + fence : fence + ' ' + text + ' ' + fence;
}

std::string jsonBlock(std::string_view json) {
  // No line of JSON is a fence, because strings contain no literal line ends.
  std::string out = "```json\n";
  char before = 0;
  eachCharacter(json, [&](std::uint32_t character, std::string_view bytes) {
    const bool acts = (before == '!' && (bytes == "`" || bytes == "[")) ||
                      (before == '<' && bytes == "!") || isHidden(character);
    before = bytes.size() == 1 ? bytes.front() : '\0';
    if (!acts) {
      out += bytes;
      return;
    }
    const auto escape = [&out](std::uint32_t unit) {
      std::array<char, 16> text{};
      std::snprintf(text.data(), text.size(), "\\u%04x", unit);
      out += text.data();
    };
    if (character >= 0x10000) {
      escape(0xD800 + ((character - 0x10000) >> 10U));
      escape(0xDC00 + ((character - 0x10000) & 0x3FFU));
    } else {
      escape(character);
    }
  });
  return out += "\n```\n";
}

std::string quotedScalar(std::string_view words) {
  std::string out;
  appendJsonString(out, words);
  return out;
}

} // namespace skillhost
