// SPDX-License-Identifier: Apache-2.0
// Json, the document type of the whole host (keys keep their order), and its strict reader.
#pragma once

#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// The library's own function moves all values into a vector before it destroys them. A process that
// lacks the memory for this vector would end there, because destructors must not throw. This one
// needs no memory at any depth. It is declared here so that every source that names Json uses it.
namespace nlohmann {
template <> void basic_json<ordered_map>::json_value::destroy(detail::value_t type);
// Only json_tree.cpp compiles the functions of this type, which saves a twelfth of the compile time
// of sources with JSON.
extern template class basic_json<ordered_map>;
} // namespace nlohmann

namespace skillhost {

using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t depth = 64; // nested arrays and objects
  // Values of all kinds together. Each takes at least two bytes of text and about a hundred of
  // memory.
  std::size_t values = static_cast<std::size_t>(-1);
};

// Reads one JSON text (RFC 8259). ParseError: not JSON, invalid UTF-8, lone surrogates.
// InvalidRequest: above the limits, a duplicate key in one object, a number that no double
// represents. The message names the byte. A whole number up to 2^53 is an integer in any spelling
// (3.0, 1e3). Does not recurse. Throws only std::bad_alloc.
Result<Json> parseJson(std::string_view text, JsonLimits limits = {});
// Reads an object in the same way for a caller that needs no reason; nothing for any other text.
std::optional<Json> readJsonObject(std::string_view text, std::size_t depth = 16);

// Appends the value as compact JSON. Invalid UTF-8 becomes U+FFFD. Takes a fraction of the time of
// the library's dump(), which looks at each character several times. Recurses as deep as the value.
void appendJson(std::string &out, const Json &value);

} // namespace skillhost
