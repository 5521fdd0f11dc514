// SPDX-License-Identifier: Apache-2.0
// A value that fits a JSON Schema, to show what one looks like.
#pragma once

#include "schema_check.hpp"

namespace skillhost {

struct ExampleValue {
  Json value;
  Fit fit = Fit::No; // No: the value is of no use
};

// What the schema itself names first (const, examples, default, enum), else the plainest: required
// members alone, and the first of the others when none is required. In bounded time; the same for
// the same schema.
ExampleValue exampleValue(const Json &schema);

} // namespace skillhost
