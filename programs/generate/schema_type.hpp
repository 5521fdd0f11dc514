// SPDX-License-Identifier: Apache-2.0
// Writes one JSON Schema as one type expression.
#pragma once

#include "type_expression.hpp"

#include <string>

namespace skillhost {

class SchemaReferences {
public:
  virtual ~SchemaReferences() = default;
  // Returns the name of the type that a reference leads to; empty: there is none. `guarded`: the
  // reference lies within an object or an array.
  virtual std::string typeFor(const std::string &reference, bool guarded) = 0;
};

// Lines after the first are indented for the top level of a file.
TypeExpression schemaType(const Json &schema, SchemaReferences &references);
// Returns a comment with the schema's information for people: description, format, default,
// deprecation.
std::string schemaComment(const Json &schema, const std::string &indent);

} // namespace skillhost
