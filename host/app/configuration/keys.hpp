// SPDX-License-Identifier: Apache-2.0
// The table of keys: those of the host, and those that features declare. It alone drives reading
// and checking, --example-config, the table of doc/configuration.md, the JSON Schema, the
// environment's names and the options of the command line.
#pragma once

#include "configuration/values.hpp"

#include <span>
#include <string>
#include <string_view>

namespace skillhost::app {

// One setting and everything that is known about it.
template <class Owner> struct Key {
  std::string_view name;   // dotted, as in the file
  std::string_view option; // of the command line, "--expose"; empty: only --set
  Rule rule;
  std::string_view help; // sentences for a person: units, limits, what it changes
  Shape shape{};
  std::span<const std::string_view> choices{}; // of a Choice
  void (*read)(Reading &, const Written &, const Key &, Owner &) = nullptr;
  Json (*write)(const Owner &, const Key &) = nullptr;
  const settings::Declaration *declared = nullptr; // by a feature; null: the key is the host's own
  Json written(const Owner &owner) const { return write(owner, *this); }
};
using HostKey = Key<Configuration>;
using SourceKey = Key<SourceConfiguration>;
using ToolsKey = Key<ToolsConfiguration>;
using VisibilityKey = Key<VisibilityConfiguration>;
using PartKey = Key<Json>; // of a rule in a list that a feature declares

using Section = settings::Heading;

std::span<const HostKey> hostKeys();             // of the whole configuration, sections together
std::span<const SourceKey> sourceKeys();         // of one entry of `sources`
std::span<const ToolsKey> toolsKeys();           // of one entry of `tools`
std::span<const VisibilityKey> visibilityKeys(); // of one entry of `access.visibility`
std::span<const Section> sections();
const HostKey *findKey(std::string_view name);

// "limits.max_depth" → "SKILLHOST_LIMITS_MAX_DEPTH"
std::string variableName(std::string_view key);

} // namespace skillhost::app
