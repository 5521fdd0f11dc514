// SPDX-License-Identifier: Apache-2.0
// One JSON Schema as one type expression.
#pragma once

#include "type_expression.hpp"

#include <string>

namespace skillhost {

class SchemaReferences {
public:
  virtual ~SchemaReferences() = default;
  // The name of the type that a reference leads to; empty: it cannot be said. `guarded`: it stands
  // within an object or an array.
  virtual std::string typeFor(const std::string &reference, bool guarded) = 0;
};

// Lines after the first are indented as at the top of a file.
TypeExpression schemaType(const Json &schema, SchemaReferences &references);
// What it says to people: description, format, default, deprecation.
std::string schemaComment(const Json &schema, const std::string &indent);

} // namespace skillhost
