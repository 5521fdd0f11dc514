// SPDX-License-Identifier: Apache-2.0
// Json, the document type of the whole host (keys keep their order), and strict reading of it.
#pragma once

#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// The library's own function moves all values into a vector before it destroys them. A process that
// lacks the memory for this vector would end there, because destructors must not throw. This one
// needs no memory, whatever the depth of the tree. It is declared here so that every source that
// names Json uses it.
namespace nlohmann {
template <> void basic_json<ordered_map>::json_value::destroy(detail::value_t type);
// The functions of this type are compiled in json_tree.cpp alone, which saves a twelfth of the time
// that sources with JSON take to compile.
extern template class basic_json<ordered_map>;
} // namespace nlohmann

namespace skillhost {

using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t depth = 64; // arrays and objects inside one another
  // Of all kinds, together. One takes at least two bytes of text and some hundred of memory.
  std::size_t values = static_cast<std::size_t>(-1);
};

// Reads one JSON text (RFC 8259). Refused with ParseError: what is not JSON, invalid UTF-8, lone
// surrogates. Refused with InvalidRequest: deeper or more than the limits, a key twice in one
// object, a number no double can hold. The message names the byte. A whole number up to 2^53 is an
// integer, however it is written (3.0, 1e3). Does not recurse; throws std::bad_alloc alone.
Result<Json> parseJson(std::string_view text, JsonLimits limits = {});
// The same of an object, for who need not say what is wrong; nothing for anything else.
std::optional<Json> readJsonObject(std::string_view text, std::size_t depth = 16);

// Appends the value as compact JSON. Invalid UTF-8 becomes U+FFFD. Takes a fraction of the time of
// the library's dump(), which looks at each character several times. Recurses as deep as the value.
void appendJson(std::string &out, const Json &value);

} // namespace skillhost
