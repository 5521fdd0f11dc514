// SPDX-License-Identifier: Apache-2.0
// Defines a key of a configuration as a row of a table. From these tables come reading and
// checking, help, the schema, the example, the names of environment variables and the options of
// the command line.
#pragma once

#include "settings/values.hpp"

#include <span>
#include <string>
#include <string_view>

namespace skillhost::settings {

// A setting with its name, help, limits and functions.
template <class Owner> struct Key {
  std::string_view name;   // dotted, as in the file
  std::string_view option; // option of the command line, "--expose"; empty: only --set
  Rule rule;
  std::string_view help; // sentences for a person: units, limits, what it changes
  Shape shape{};
  std::span<const std::string_view> choices{}; // of a Choice
  void (*read)(Reading &, const Written &, const Key &, Owner &) = nullptr;
  Json (*write)(const Owner &, const Key &) = nullptr;
  // Declaration of its feature; null: the key is the host's own.
  const Declaration *declared = nullptr;
  // True for a key of the host that exists only if a feature declares it, with the type "host".
  bool needsFeature = false;
  Json toJson(const Owner &owner) const { return write(owner, *this); } // the owner's value
};
using PartKey = Key<Json>; // key of a rule in a list that a feature declares

// "limits.max_depth" → "SKILLHOST_LIMITS_MAX_DEPTH"
std::string variableFor(std::string_view key);

} // namespace skillhost::settings
