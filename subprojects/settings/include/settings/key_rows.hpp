// SPDX-License-Identifier: Apache-2.0
// Helpers for writing tables of keys: rows, rules that several rows share, and joined lists of
// rows.
#pragma once

#include "settings/key.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace skillhost::app::rows {

template <class Owner, auto... Members> constexpr auto &field(Owner &owner) {
  return (owner.*....*Members);
}

// Returns the row for the field that is reached through these members, one after another.
template <class Owner, auto... Members>
constexpr Key<Owner> key(std::string_view name, std::string_view option, Rule rule,
                         std::string_view help) {
  using Value = std::remove_cvref_t<decltype(field<Owner, Members...>(std::declval<Owner &>()))>;
  Key<Owner> row{name, option, rule, help};
  row.shape = shapeOf(Identity<Value>{});
  if constexpr (requires { Names<Value>::all; }) row.choices = Names<Value>::all;
  if constexpr (requires { Names<typename Value::value_type>::all; })
    row.choices = Names<typename Value::value_type>::all;
  row.read = [](Reading &reading, const Written &written, const Key<Owner> &read, Owner &owner) {
    readValue(reading, written, read.rule, field<Owner, Members...>(owner));
  };
  row.write = [](const Owner &owner, const Key<Owner> &written) {
    return writeValue(field<const Owner, Members...>(owner), written.rule);
  };
  return row;
}

inline constexpr Rule any{};
inline constexpr Rule folders{1, 4'096, Meaning::Path};
inline constexpr Rule globs{1, 1'000, Meaning::Glob};
inline constexpr Rule plugins{1, 4'096, Meaning::Plugin};
constexpr Rule between(std::uint64_t minimum, std::uint64_t maximum, std::uint64_t unit = 1) {
  return {minimum, maximum, Meaning::Plain, unit};
}
inline constexpr std::uint64_t megabyte = 1U << 20U;

template <class Owner>
void insertBehind(std::vector<Key<Owner>> &rows, std::string_view name,
                  std::span<const Key<Owner>> more) {
  const auto place = std::find_if(rows.begin(), rows.end(),
                                  [&](const Key<Owner> &one) { return one.name == name; });
  rows.insert(place + 1, more.begin(), more.end());
}

template <class Owner>
std::vector<Key<Owner>> joined(std::span<const Key<Owner>> first,
                               std::span<const Key<Owner>> second) {
  std::vector<Key<Owner>> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

} // namespace skillhost::app::rows
