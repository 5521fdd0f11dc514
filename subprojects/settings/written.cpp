// SPDX-License-Identifier: Apache-2.0
#include "settings/written.hpp"

#include "ground/utf8.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace skillhost::settings {
namespace {

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (text == word) return true;
  return false;
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
  if (text.starts_with("+-")) return std::nullopt;
  int base = 10;
  if (text.starts_with("0x")) base = 16;
  if (text.starts_with("0o")) base = 8;
  if (base != 10) text.remove_prefix(2);
  if (base == 10 && text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || (base != 10 && text.front() == '-')) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> realNumber(std::string_view text) {
  if (isOneOf(text, {".inf", ".Inf", ".INF", "+.inf"}))
    return std::numeric_limits<double>::infinity();
  if (text == "-.inf") return -std::numeric_limits<double>::infinity();
  if (isOneOf(text, {".nan", ".NaN", ".NAN"})) return std::numeric_limits<double>::quiet_NaN();
  // Accept only digits, sign, point and exponent, because from_chars would also take "inf" and
  // "nan".
  if (text.starts_with("+-") ||
      text.find_first_not_of("+-.0123456789eE") != std::string_view::npos ||
      text.find_first_of("0123456789") == std::string_view::npos)
    return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

} // namespace

const Written *Written::find(std::string_view name) const noexcept {
  for (const Member &member : members)
    if (member.name == name) return &member.value;
  return nullptr;
}

std::string Written::described() const {
  switch (kind) {
  case Kind::Null:
    return "nothing";
  case Kind::Boolean:
    return boolean ? "true" : "false";
  case Kind::Integer:
  case Kind::Number:
    return "the number " + text.substr(0, 40);
  case Kind::Text:
    return '"' + std::string(cutUtf8(text, 60)) + (text.size() > 60 ? "..." : "") + '"';
  case Kind::List:
    return "a list";
  case Kind::Map:
    break;
  }
  return "a map of keys";
}

Written Written::ofText(std::string text) {
  Written value;
  value.kind = Kind::Text;
  value.text = std::move(text);
  return value;
}

Written plainScalar(std::string text) {
  Written value;
  if (isOneOf(text, {"", "~", "null", "Null", "NULL"})) return value;
  value.kind = Written::Kind::Text;
  if (isOneOf(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) {
    value.kind = Written::Kind::Boolean;
    value.boolean = text.front() == 't' || text.front() == 'T';
  } else if (const auto whole = wholeNumber(text)) {
    value.kind = Written::Kind::Integer;
    value.integer = *whole;
  } else if (const auto real = realNumber(text)) {
    value.kind = Written::Kind::Number;
    value.number = *real;
  }
  value.text = std::move(text);
  return value;
}

} // namespace skillhost::settings
