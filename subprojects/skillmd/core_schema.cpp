// SPDX-License-Identifier: Apache-2.0
#include "skillmd/core_schema.hpp"

#include "skillmd/characters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace skillhost {
namespace {

using Kind = CoreScalar::Kind;

bool anyOf(std::string_view text, std::string_view a, std::string_view b,
           std::string_view c) noexcept {
  return text == a || text == b || text == c;
}

CoreScalar floating(std::string_view text, double value) {
  if (!std::isfinite(value)) return {Kind::Float, Json(std::string(text)), true};
  return {Kind::Float, Json(value), false};
}

// Converts a number that exceeds 64 bits to the nearest double, digit by digit in its base.
CoreScalar large(std::string_view text, std::string_view digits, double base, bool negative) {
  double value = 0;
  if (base == 10) {
    value = std::strtod(std::string(digits).c_str(), nullptr);
  } else {
    for (const char c : digits) {
      const int figure = digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
      value = value * base + figure;
    }
  }
  CoreScalar scalar = floating(text, negative ? -value : value);
  scalar.kind = Kind::Integer;
  return scalar;
}

CoreScalar integer(std::string_view text, std::string_view digits, int base, bool negative) {
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  constexpr std::uint64_t lowest = 1ULL << 63U;
  if (error != std::errc{} || (negative && magnitude > lowest))
    return large(text, digits, base, negative);
  if (!negative && magnitude >= lowest) return {Kind::Integer, Json(magnitude), false};
  // In two's complement, 0 - magnitude is right even for the lowest number.
  return {Kind::Integer, Json(static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude)),
          false};
}

// Matches [0-9]+ | ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
Kind shapeOf(std::string_view text) noexcept {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && digit(text[at])) ++at;
    return at - start;
  };
  const std::size_t whole = digits();
  if (whole != 0 && at == text.size()) return Kind::Integer;
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    fraction = digits();
  }
  if (whole == 0 && fraction == 0) return Kind::String;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits() == 0) return Kind::String;
  }
  return at == text.size() ? Kind::Float : Kind::String;
}

bool allIn(std::string_view digits, bool hexadecimal) noexcept {
  return !digits.empty() && std::all_of(digits.begin(), digits.end(), [&](char c) {
    if (!hexadecimal) return c >= '0' && c <= '7';
    return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

CoreScalar number(std::string_view text) {
  if (text.substr(0, 2) == "0o" && allIn(text.substr(2), false))
    return integer(text, text.substr(2), 8, false);
  if (text.substr(0, 2) == "0x" && allIn(text.substr(2), true))
    return integer(text, text.substr(2), 16, false);
  const bool sign = text.front() == '-' || text.front() == '+';
  const std::string_view rest = text.substr(sign ? 1 : 0);
  if (anyOf(rest, ".inf", ".Inf", ".INF") || (!sign && anyOf(rest, ".nan", ".NaN", ".NAN")))
    return {Kind::Float, Json(std::string(text)), true};
  switch (shapeOf(rest)) {
  case Kind::Integer:
    return integer(text, rest, 10, text.front() == '-');
  case Kind::Float: {
    const double value = std::strtod(std::string(rest).c_str(), nullptr);
    return floating(text, text.front() == '-' ? -value : value);
  }
  default:
    return {Kind::String, Json(std::string(text)), false};
  }
}

} // namespace

CoreScalar resolvePlain(std::string_view text) {
  if (text.empty() || text == "~") return {Kind::Null, Json(nullptr), false};
  switch (text.front()) {
  case 'n':
  case 'N':
    if (anyOf(text, "null", "Null", "NULL")) return {Kind::Null, Json(nullptr), false};
    break;
  case 't':
  case 'T':
    if (anyOf(text, "true", "True", "TRUE")) return {Kind::Boolean, Json(true), false};
    break;
  case 'f':
  case 'F':
    if (anyOf(text, "false", "False", "FALSE")) return {Kind::Boolean, Json(false), false};
    break;
  default:
    if (digit(text.front()) || text.front() == '-' || text.front() == '+' || text.front() == '.')
      return number(text);
  }
  return {Kind::String, Json(std::string(text)), false};
}

} // namespace skillhost
