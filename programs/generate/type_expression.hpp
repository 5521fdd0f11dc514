// SPDX-License-Identifier: Apache-2.0
// Combines type expressions of TypeScript.
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

// Returns the union: unknown if one of them is unknown, never if there are none.
TypeExpression unionOf(const std::vector<TypeExpression> &types);
// Returns the intersection of those that are not unknown; unknown if there are none.
TypeExpression intersectionOf(const std::vector<TypeExpression> &types);
// Returns the type of exactly this value.
TypeExpression literalType(const Json &value);

} // namespace skillhost
