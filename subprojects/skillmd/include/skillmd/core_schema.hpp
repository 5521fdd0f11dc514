// SPDX-License-Identifier: Apache-2.0
// The YAML 1.2 core schema: the meaning of a scalar without quotes.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string_view>

namespace skillhost {

struct CoreScalar {
  enum class Kind : std::uint8_t { Null, Boolean, Integer, Float, String };
  Kind kind = Kind::String;
  Json value;
  // JSON has no such number (.inf, .nan, 1e999); value is the text.
  bool unrepresentable = false;
};

// `text` is a plain scalar without surrounding spaces. Integers beyond 64 bits become doubles.
// `yes`, `on`, dates and version numbers such as 1.2.3 are strings.
CoreScalar resolvePlain(std::string_view text);

} // namespace skillhost
