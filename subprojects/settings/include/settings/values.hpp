// SPDX-License-Identifier: Apache-2.0
// Reads and writes a single setting; the type of its field selects the function. Each readValue
// checks kind and range. If there is a problem, it notes what to write and leaves the field
// unchanged. For a type of their own, others add functions of these names to this namespace.
#pragma once

#include "settings/reading.hpp"
#include "settings/table.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skillhost::app {

using settings::Meaning;
using settings::Shape;

// Limits for a value. For texts they are the length in bytes.
struct Rule {
  std::uint64_t minimum = 0;
  std::uint64_t maximum = UINT64_MAX;
  Meaning meaning = Meaning::Plain;
  // Factor from the written number to the field's, such as 1 << 20 bytes for a megabyte.
  std::uint64_t unit = 1;
  // Returns another problem of the text; empty if there is none.
  std::string (*check)(const std::string &) = nullptr;
};

// The words for the values of an enumeration, in its order, as an array `all`.
template <class Enumeration> struct Names;

void readValue(Reading &, const Written &, const Rule &, bool &);
void readValue(Reading &, const Written &, const Rule &, std::size_t &);
void readValue(Reading &, const Written &, const Rule &, double &);
void readValue(Reading &, const Written &, const Rule &, std::string &);
void readValue(Reading &, const Written &, const Rule &, std::vector<std::string> &);
void readValue(Reading &, const Written &, const Rule &, std::chrono::milliseconds &);
void readValue(Reading &, const Written &, const Rule &, Json &); // the settings of a plugin
void readNumbers(Reading &, const Written &, const Rule &, std::map<std::string, std::size_t> &);
template <class Number, class Order>
void readValue(Reading &reading, const Written &written, const Rule &rule,
               std::map<std::string, Number, Order> &out) {
  std::map<std::string, std::size_t> numbers;
  const std::size_t problems = reading.problems.size();
  readNumbers(reading, written, rule, numbers);
  if (reading.problems.size() != problems) return;
  out.clear();
  for (const auto &[name, number] : numbers) out.emplace(name, Number(number));
}
// Returns the index of the word among `names`. Upper and lower case are equal.
std::optional<std::size_t> readChoice(Reading &, const Written &,
                                      std::span<const std::string_view> names);

template <class Value>
void readValue(Reading &reading, const Written &written, const Rule &rule,
               std::optional<Value> &out) {
  Value value{};
  const std::size_t problems = reading.problems.size();
  readValue(reading, written, rule, value);
  if (reading.problems.size() == problems) out = std::move(value);
}
template <class Enumeration>
  requires requires { Names<Enumeration>::all; }
void readValue(Reading &reading, const Written &written, const Rule &, Enumeration &out) {
  if (const auto index = readChoice(reading, written, Names<Enumeration>::all))
    out = static_cast<Enumeration>(*index);
}

template <class Value> Json writeValue(const Value &value, const Rule &rule) {
  if constexpr (requires { Names<Value>::all; })
    return Names<Value>::all[static_cast<std::size_t>(value)];
  else if constexpr (std::is_same_v<Value, std::size_t>)
    return value / rule.unit;
  else if constexpr (std::is_same_v<Value, std::chrono::milliseconds>)
    return static_cast<std::uint64_t>(value.count()) / rule.unit;
  else
    return value;
}
template <class Value> Json writeValue(const std::optional<Value> &value, const Rule &rule) {
  return value ? writeValue(*value, rule) : Json(nullptr);
}
template <class Number, class Order>
Json writeValue(const std::map<std::string, Number, Order> &numbers, const Rule &rule) {
  Json written = Json::object();
  for (const auto &[name, number] : numbers) written[name] = writeValue(number, rule);
  return written;
}

template <class Value> struct Identity {};
constexpr Shape shapeOf(Identity<bool>) { return Shape::Flag; }
constexpr Shape shapeOf(Identity<std::size_t>) { return Shape::WholeNumber; }
constexpr Shape shapeOf(Identity<double>) { return Shape::Number; }
constexpr Shape shapeOf(Identity<std::string>) { return Shape::Text; }
constexpr Shape shapeOf(Identity<std::vector<std::string>>) { return Shape::TextList; }
constexpr Shape shapeOf(Identity<std::chrono::milliseconds>) { return Shape::WholeNumber; }
template <class Number, class Order>
constexpr Shape shapeOf(Identity<std::map<std::string, Number, Order>>) {
  return Shape::NumberMap;
}
constexpr Shape shapeOf(Identity<Json>) { return Shape::Object; }
template <class Value> constexpr Shape shapeOf(Identity<std::optional<Value>>) {
  return shapeOf(Identity<Value>{});
}
template <class Enumeration>
  requires requires { Names<Enumeration>::all; }
constexpr Shape shapeOf(Identity<Enumeration>) {
  return Shape::Choice;
}

} // namespace skillhost::app
