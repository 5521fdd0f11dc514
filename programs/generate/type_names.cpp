// SPDX-License-Identifier: Apache-2.0
#include "type_names.hpp"

#include "ground/json_text.hpp"
#include "plain_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>

namespace skillhost {
namespace {

constexpr std::size_t maxTypeNameBytes = 60, maxCommentBytes = 600;

bool isWord(char byte) { return std::isalnum(static_cast<unsigned char>(byte)) != 0; }

} // namespace

std::string pascalCase(std::string_view words) {
  std::string name;
  bool begins = true;
  for (const char byte : words.substr(0, maxTypeNameBytes)) {
    if (static_cast<unsigned char>(byte) >= 0x80 || !isWord(byte)) {
      begins = true;
      continue;
    }
    name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(byte))) : byte;
    begins = false;
  }
  if (name.empty()) return "Type";
  return std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? "T" + name : name;
}

std::string TypeNames::take(std::string_view wanted, std::string_view suffix) {
  const std::string name = pascalCase(wanted) + std::string(suffix);
  std::string free = name;
  for (std::size_t number = 2; !taken_.insert(free).second; ++number)
    free = name + '_' + std::to_string(number);
  return free;
}

std::string memberName(std::string_view name) {
  const bool plain = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
                     std::all_of(name.begin(), name.end(), [](char byte) {
                       return static_cast<unsigned char>(byte) < 0x80 &&
                              (isWord(byte) || byte == '_' || byte == '$');
                     });
  return plain ? std::string(name) : textLiteral(name);
}

std::string textLiteral(std::string_view text) {
  std::string literal;
  appendJsonString(literal, text);
  std::string out;
  eachCharacter(literal, [&](std::uint32_t character, std::string_view bytes) {
    if (!isHidden(character)) {
      out += bytes;
      return;
    }
    std::array<char, 16> escaped{};
    std::snprintf(escaped.data(), escaped.size(), "\\u{%x}", character);
    out += escaped.data();
  });
  return out;
}

std::string docComment(std::string_view words, const std::string &indent) {
  std::string text = visibleText(words, maxCommentBytes);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.pop_back();
  if (text.empty()) return {};
  for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at))
    text.replace(at, 2, "*\\/");
  if (text.find('\n') == std::string::npos) return indent + "/** " + text + " */\n";
  std::string out = indent + "/**\n";
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += indent + (end == begin ? " *" : " * ") + text.substr(begin, end - begin) + '\n';
    begin = end + 1;
  }
  return out + indent + " */\n";
}

} // namespace skillhost
