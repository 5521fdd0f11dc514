// SPDX-License-Identifier: Apache-2.0
// Reads a map of keys, such as the whole configuration or one entry of `sources`, by a table of
// keys (see key.hpp). The row of a key reads its value. A key without a row becomes a problem.
#pragma once

#include "commandline/suggest.hpp"
#include "settings/absent_features.hpp"
#include "settings/key.hpp"

#include <algorithm>

namespace skillhost::settings {

// Returns the dotted names of all keys: "log.level".
template <class Owner> std::vector<std::string_view> keyNames(std::span<const Key<Owner>> table) {
  std::vector<std::string_view> names;
  for (const Key<Owner> &row : table) names.push_back(row.name);
  return names;
}

// Returns the names of keys and sections that a section may contain. `prefix` is "" for the top
// level, or such as "limits.".
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
// and for a name that only one section has; otherwise empty. `keys` are the dotted names of all
// keys.
std::string sectionHint(std::string_view name, std::span<const std::string_view> keys);

// Returns the message for an unknown key. It suggests a similar name of `known`, or lists them all.
inline std::string unknownKey(std::string_view name, const std::vector<std::string> &known) {
  std::string text = "unknown key \"" + std::string(name.substr(0, 100)) + '"';
  if (const std::string hint = app::didYouMean(name, known); !hint.empty()) return text + hint;
  text += "; known here: ";
  for (const std::string &key : known) text += (&key == known.data() ? "" : ", ") + key;
  return text;
}

// Reads the members of `map` into `owner`, and adds problems to `reading`. A member that is null
// keeps the default. `prefix` is the section within the table, as for keyNamesIn(). Problems name a
// member by reading.key, a dot and the member's name; reading.key is the same before and after.
template <class Owner>
void readMembers(Reading &reading, const Written &map, std::span<const Key<Owner>> table,
                 Owner &owner, const std::string &prefix = {}) {
  const std::string outerKey = reading.key;
  const std::vector<std::string> known = keyNamesIn(table, prefix);
  for (const Member &member : map.members) {
    const std::string dottedKey = outerKey.empty() ? member.name : outerKey + '.' + member.name;
    if (std::find(known.begin(), known.end(), member.name) == known.end()) {
      const std::string_view advice =
          reading.removedKey == nullptr ? std::string_view{} : reading.removedKey(dottedKey);
      if (!advice.empty()) {
        reading.problem(member.line, member.column, member.name + std::string(advice));
        continue;
      }
      std::string hint = absentKey(reading.base + dottedKey);
      if (hint.empty() && outerKey.empty() && reading.base.empty())
        hint = sectionHint(member.name, keyNames(table));
      reading.problem(member.line, member.column,
                      hint.empty() ? unknownKey(member.name, known)
                                   : "unknown key \"" + member.name.substr(0, 100) + '"' + hint);
      continue;
    }
    if (member.value.kind == Written::Kind::Null) continue;
    reading.key = dottedKey;
    reading.note(member.value);
    const std::string name = prefix + member.name;
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const Key<Owner> &key) { return key.name == name; });
    if (row != table.end())
      row->read(reading, member.value, *row, owner);
    else if (member.value.kind == Written::Kind::Map)
      readMembers(reading, member.value, table, owner, name + '.');
    else
      reading.problem(member.value, "expected a map of keys, found " + member.value.described());
    reading.key = outerKey;
  }
}

// Writes the owner's values as nested objects: {"limits":{"max_depth":10}}.
template <class Owner> Json writeMembers(std::span<const Key<Owner>> table, const Owner &owner) {
  Json out = Json::object();
  for (const Key<Owner> &row : table) {
    const std::size_t dot = row.name.find('.');
    Json &section = dot == std::string_view::npos ? out : out[std::string(row.name.substr(0, dot))];
    section[std::string(row.name.substr(dot == std::string_view::npos ? 0 : dot + 1))] =
        row.toJson(owner);
  }
  return out;
}

} // namespace skillhost::settings
