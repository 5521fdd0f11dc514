// SPDX-License-Identifier: Apache-2.0
// Reads a map of keys by a table. The key's row reads each member, and a name without a row is a
// problem.
#pragma once

#include "commandline/suggest.hpp"
#include "settings/absent_features.hpp"
#include "settings/key.hpp"

#include <algorithm>

namespace skillhost::settings {

template <class Owner> std::vector<std::string_view> keyNames(std::span<const Key<Owner>> table) {
  std::vector<std::string_view> names;
  for (const Key<Owner> &row : table) names.push_back(row.name);
  return names;
}

// Returns the names that are allowed in the section `prefix` ("" or "limits.").
template <class Owner>
std::vector<std::string> keyNamesIn(std::span<const Key<Owner>> table, std::string_view prefix) {
  std::vector<std::string> names;
  for (const Key<Owner> &row : table) {
    if (!row.name.starts_with(prefix)) continue;
    const std::string_view rest = row.name.substr(prefix.size());
    std::string name(rest.substr(0, rest.find('.')));
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

// Returns ` - did you mean level in the section log?` for "log_level", "log.level" or "logLevel",
// and for a key that only one section has; otherwise empty. `keys` are all keys that exist.
std::string sectionHint(std::string_view name, std::span<const std::string_view> keys);

inline std::string unknownKey(std::string_view name, const std::vector<std::string> &known) {
  std::string text = "unknown key \"" + std::string(name.substr(0, 100)) + '"';
  if (const std::string hint = app::didYouMean(name, known); !hint.empty()) return text + hint;
  text += "; known here: ";
  for (const std::string &one : known) text += (&one == known.data() ? "" : ", ") + one;
  return text;
}

// Reads the members of `written` into `owner`. A null member keeps the default. `prefix` is the
// section within the table, and messages name a member after reading.key.
template <class Owner>
void readMembers(Reading &reading, const Written &written, std::span<const Key<Owner>> table,
                 Owner &owner, const std::string &prefix = {}) {
  const std::string outer = reading.key;
  const std::vector<std::string> known = keyNamesIn(table, prefix);
  for (const Member &member : written.members) {
    if (std::find(known.begin(), known.end(), member.name) == known.end()) {
      const std::string whole = outer.empty() ? member.name : outer + '.' + member.name;
      const std::string_view advice =
          reading.removedKey == nullptr ? std::string_view{} : reading.removedKey(whole);
      if (!advice.empty()) {
        reading.problem(member.line, member.column, member.name + std::string(advice));
        continue;
      }
      std::string hint = absentKey(reading.base + whole);
      if (hint.empty() && outer.empty() && reading.base.empty())
        hint = sectionHint(member.name, keyNames(table));
      reading.problem(member.line, member.column,
                      hint.empty() ? unknownKey(member.name, known)
                                   : "unknown key \"" + member.name.substr(0, 100) + '"' + hint);
      continue;
    }
    if (member.value.kind == Written::Kind::Null) continue;
    reading.key = outer.empty() ? member.name : outer + '.' + member.name;
    reading.note(member.value);
    const std::string name = prefix + member.name;
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const Key<Owner> &one) { return one.name == name; });
    if (row != table.end())
      row->read(reading, member.value, *row, owner);
    else if (member.value.kind == Written::Kind::Map)
      readMembers(reading, member.value, table, owner, name + '.');
    else
      reading.problem(member.value, "expected a map of keys, found " + member.value.described());
    reading.key = outer;
  }
}

// Writes the owner's values as nested objects: {"limits":{"max_depth":10}}.
template <class Owner> Json writeMembers(std::span<const Key<Owner>> table, const Owner &owner) {
  Json out = Json::object();
  for (const Key<Owner> &row : table) {
    const std::size_t dot = row.name.find('.');
    Json &place = dot == std::string_view::npos ? out : out[std::string(row.name.substr(0, dot))];
    place[std::string(row.name.substr(dot == std::string_view::npos ? 0 : dot + 1))] =
        row.written(owner);
  }
  return out;
}

} // namespace skillhost::settings
