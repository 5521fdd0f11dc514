// SPDX-License-Identifier: Apache-2.0
// Limits what a schema makes valijson do. A schema comes from a plugin, and valijson follows it
// without a bound.
#pragma once

#include "ground/sorted_json.hpp"

#include <cstddef>
#include <string_view>

namespace skillhost {

inline constexpr std::size_t maxNesting = 64; // arrays and objects, of a schema and of a document

// Returns how deep the arrays and objects of a JSON text are nested. Does not recurse.
std::size_t nestingOf(std::string_view text);

// Reads a schema. Throws std::exception with the reason if the text is no JSON or the schema is too
// large, too deep, refers to itself without a step into the document, refers to anything outside
// itself, has a pattern that Pattern refuses, or would be applied too often to a document of the
// depth `documentNesting`. Leaves out "id", by which valijson could confuse two schemas.
nlohmann::json readSchema(std::string_view text, std::size_t documentNesting);

// Makes whole floats integers, as draft 7 has it and valijson has not: 3.0 becomes 3.
void makeWholeNumbersIntegers(nlohmann::json &value);

} // namespace skillhost
