// SPDX-License-Identifier: Apache-2.0
// Whether a value fits a JSON Schema, as far as that can be told without running patterns of
// strangers and in bounded time.
#pragma once

#include "schema_document.hpp"

#include <cstddef>
#include <cstdint>

namespace skillhost {

// Unsure: it fits, but for rules that are not looked at (`pattern`, `contains`, `unevaluated…`, a
// reference elsewhere), or looking at all would take too long.
enum class Fit : std::uint8_t { Yes, Unsure, No };

class SchemaCheck {
public:
  explicit SchemaCheck(const SchemaDocument &document) : document_(document) {}

  Fit check(const Json &schema, const Json &value);

private:
  Fit look(const Json &schema, const Json &value);
  Fit looked(const Json &schema, const Json &value);
  Fit combinations(const Json &schema, const Json &value);
  Fit ofText(const Json &schema, const std::string &text) const;
  Fit ofObject(const Json &schema, const Json &value);
  Fit ofArray(const Json &schema, const Json &value);

  const SchemaDocument &document_;
  std::size_t steps_ = 0;
  int depth_ = 0;
};

} // namespace skillhost
