// SPDX-License-Identifier: Apache-2.0
// JSON with comments and trailing commas, as editors keep it for people.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app::edit {

struct PlainJson {
  std::string text; // same length, with blanks for comments and trailing commas
  std::set<std::size_t> trailingCommas;
};
PlainJson plainJson(std::string_view text);

// A member of an object in plain text that is valid JSON.
struct JsonMember {
  std::string key;
  std::size_t keyBegin = 0, valueBegin = 0, valueEnd = 0; // the key's position includes its quote
};
struct JsonObject {
  std::size_t begin = 0, end = 0; // positions of its braces
  std::vector<JsonMember> members;
};
JsonObject jsonObjectAt(std::string_view plain, std::size_t begin);
std::size_t pastBlanks(std::string_view plain, std::size_t at);

} // namespace skillhost::app::edit
