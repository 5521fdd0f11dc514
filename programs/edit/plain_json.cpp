// SPDX-License-Identifier: Apache-2.0
#include "plain_json.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost::app::edit {
namespace {

constexpr std::string_view blanks = " \t\r\n";

// Returns the position behind the string whose quote is at `at`.
std::size_t pastString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// Returns the end of the comment that begins at `at`; `at` if there is none.
std::size_t pastComment(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (!rest.starts_with("/*")) return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? at : end + 2;
}

std::size_t pastValue(std::string_view plain, std::size_t at) {
  if (plain[at] == '"') return pastString(plain, at);
  if (plain[at] != '{' && plain[at] != '[')
    return std::min(plain.find_first_of(",]} \t\r\n", at), plain.size());
  std::size_t depth = 0;
  while (at < plain.size()) {
    const char c = plain[at];
    if (c == '"') {
      at = pastString(plain, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) break;
  }
  return at;
}

} // namespace

PlainJson plainJson(std::string_view text) {
  PlainJson plain{std::string(text), {}};
  std::size_t comma = std::string_view::npos; // the last comma, with only blanks after it
  for (std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < text.size();) {
    if (const std::size_t end = pastComment(text, at); end != at) {
      for (; at < end; ++at)
        if (text[at] != '\n') plain.text[at] = ' ';
      continue;
    }
    const char c = text[at];
    if ((c == '}' || c == ']') && comma != std::string_view::npos) {
      plain.text[comma] = ' ';
      plain.trailingCommas.insert(comma);
    }
    if (blanks.find(c) == std::string_view::npos) comma = c == ',' ? at : std::string_view::npos;
    at = c == '"' ? pastString(text, at) : at + 1;
  }
  return plain;
}

std::size_t pastBlanks(std::string_view plain, std::size_t at) {
  return std::min(plain.find_first_not_of(blanks, at), plain.size());
}

JsonObject jsonObjectAt(std::string_view plain, std::size_t begin) {
  JsonObject object{begin, begin, {}};
  std::size_t at = pastBlanks(plain, begin + 1);
  while (at < plain.size() && plain[at] == '"') {
    JsonMember member;
    member.keyBegin = at;
    const std::size_t keyEnd = pastString(plain, at);
    if (const Result<Json> key = parseJson(plain.substr(at, keyEnd - at)); key && key->is_string())
      member.key = key->get<std::string>();
    member.valueBegin = pastBlanks(plain, pastBlanks(plain, keyEnd) + 1); // behind the colon
    member.valueEnd = pastValue(plain, member.valueBegin);
    at = pastBlanks(plain, member.valueEnd);
    object.members.push_back(std::move(member));
    if (at < plain.size() && plain[at] == ',') at = pastBlanks(plain, at + 1);
  }
  object.end = at;
  return object;
}

} // namespace skillhost::app::edit
