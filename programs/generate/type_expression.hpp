// SPDX-License-Identifier: Apache-2.0
// Type expressions of TypeScript, put together.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

struct TypeExpression {
  enum class Binding : std::uint8_t { Tight, Intersection, Union };
  std::string text = "unknown";
  Binding binding = Binding::Tight;

  bool isUnknown() const { return text == "unknown"; }
  std::string inIntersection() const;
  std::string inArray() const;
};

// Unknown when one of them is; never when there is none.
TypeExpression unionOf(const std::vector<TypeExpression> &types);
// Of those that are not unknown; unknown when there is none.
TypeExpression intersectionOf(const std::vector<TypeExpression> &types);
// The type of exactly this value.
TypeExpression literalType(const Json &value);

} // namespace skillhost
