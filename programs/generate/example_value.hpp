// SPDX-License-Identifier: Apache-2.0
// Makes a value that fits a JSON Schema, as an example.
#pragma once

#include "schema_check.hpp"

namespace skillhost {

struct ExampleValue {
  Json value;
  Fit fit = Fit::No; // No: the value is useless
};

// Returns the first value in the schema itself (const, examples, default, enum), or else the
// simplest: only the required members, or the first of the others if none is required. Takes
// bounded time. The same schema gives the same value.
ExampleValue exampleValue(const Json &schema);

} // namespace skillhost
