// SPDX-License-Identifier: Apache-2.0
// JSON as editors keep it for people: with comments and trailing commas.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app::edit {

struct PlainJson {
  std::string text; // of the same length, blanks in the place of comments and trailing commas
  std::set<std::size_t> trailingCommas;
};
PlainJson plainJson(std::string_view text);

// Of plain text that is valid JSON.
struct JsonMember {
  std::string key;
  std::size_t keyBegin = 0, valueBegin = 0, valueEnd = 0; // the key's with its quote
};
struct JsonObject {
  std::size_t begin = 0, end = 0; // of its braces
  std::vector<JsonMember> members;
};
JsonObject jsonObjectAt(std::string_view plain, std::size_t begin);
std::size_t pastBlanks(std::string_view plain, std::size_t at);

} // namespace skillhost::app::edit
