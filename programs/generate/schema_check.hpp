// SPDX-License-Identifier: Apache-2.0
// Checks a value against a JSON Schema in bounded time, without running strangers' patterns.
#pragma once

#include "schema_document.hpp"

#include <cstddef>
#include <cstdint>

namespace skillhost {

// Unsure: it fits apart from rules that are not checked (`pattern`, `contains`, `unevaluated…`, a
// reference elsewhere), or the full check would take too long.
enum class Fit : std::uint8_t { Yes, Unsure, No };

class SchemaCheck {
public:
  explicit SchemaCheck(const SchemaDocument &document) : document_(document) {}

  Fit check(const Json &schema, const Json &value);

private:
  Fit evaluate(const Json &schema, const Json &value);
  Fit evaluateRules(const Json &schema, const Json &value);
  Fit combinations(const Json &schema, const Json &value);
  Fit ofText(const Json &schema, const std::string &text) const;
  Fit ofObject(const Json &schema, const Json &value);
  Fit ofArray(const Json &schema, const Json &value);

  const SchemaDocument &document_;
  std::size_t steps_ = 0;
  int depth_ = 0;
};

} // namespace skillhost
