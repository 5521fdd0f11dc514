// SPDX-License-Identifier: Apache-2.0
#include "change.hpp"

#include "ground/sorted_json.hpp"

#include <charconv>

namespace skillhost::app::edit {
namespace {

std::optional<std::size_t> indexIn(const Json &list, const std::string &key) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error != std::errc{} || end != key.data() + key.size() || index >= list.size())
    return std::nullopt;
  return index;
}

// Applies the change to the value, which gives the value of the changed text.
bool apply(Json &document, const Change &change) {
  Json *place = &document;
  for (std::size_t i = 0; i < change.path.size(); ++i) {
    const std::string &key = change.path[i];
    const bool last = i + 1 == change.path.size();
    if (place->is_null()) *place = key == "-" ? Json::array() : Json::object();
    if (place->is_array()) {
      if (key == "-") {
        place->push_back(nullptr);
        place = &place->back();
      } else {
        const std::optional<std::size_t> index = indexIn(*place, key);
        if (!index) return false;
        if (last && !change.value) {
          place->erase(*index);
          return true;
        }
        place = &(*place)[*index];
      }
      continue;
    }
    if (!place->is_object()) return false;
    if (last && !change.value) {
      place->erase(key);
      return true;
    }
    place = &(*place)[key];
  }
  *place = *change.value;
  return true;
}

// Removes empty tables above, because in TOML a table with nothing but tables exists only through
// these.
void dropEmptyAbove(Json &document, std::vector<std::string> path) {
  for (path.pop_back(); !path.empty(); path.pop_back()) {
    Json *place = &document;
    for (std::size_t i = 0; i + 1 < path.size() && place->contains(path[i]); ++i)
      place = &(*place)[path[i]];
    if (place->contains(path.back()) && (*place)[path.back()].empty()) place->erase(path.back());
  }
}

// JSON lists are rewritten as a whole: turns a change within a list into a change of that list.
Change wholeLists(const Change &change, const Json &before, const Json &after) {
  std::vector<std::string> path;
  for (const std::string &key : change.path) {
    const Json *const now = find(before, path);
    if (!path.empty() && ((now != nullptr && now->is_array()) || key == "-"))
      return {path, *find(after, path)};
    path.push_back(key);
  }
  return change;
}

// Compares without regard to the order of keys.
bool same(const Json &one, const Json &other) {
  return nlohmann::json(one) == nlohmann::json(other);
}

} // namespace

Result<Json> read(Format format, std::string_view text) {
  switch (format) {
  case Format::Json:
    return readJson(text);
  case Format::Yaml:
    return readYaml(text);
  case Format::Toml:
    break;
  }
  return readToml(text);
}

const Json *find(const Json &document, const std::vector<std::string> &path) {
  const Json *place = &document;
  for (const std::string &key : path) {
    if (place->is_object()) {
      const auto found = place->find(key);
      if (found == place->end()) return nullptr;
      place = &*found;
    } else {
      const std::optional<std::size_t> index =
          place->is_array() ? indexIn(*place, key) : std::nullopt;
      if (!index) return nullptr;
      place = &(*place)[*index];
    }
  }
  return place;
}

Result<std::string> changed(Format format, std::string_view text, const Change &change) {
  const Result<Json> before = read(format, text);
  if (!before) return before.failure();
  Result<Json> wanted = *before;
  if (!change.value && find(*wanted, change.path) == nullptr) return std::string(text);
  if (const Json *now = find(*wanted, change.path);
      change.value && now != nullptr && same(*now, *change.value))
    return std::string(text);
  if (!apply(*wanted, change))
    return Failure{Fault::Conflict, "something else stands where the entry belongs"};
  Result<std::string> made = format == Format::Json
                                 ? changedJson(text, wholeLists(change, *before, *wanted))
                             : format == Format::Yaml ? changedYaml(text, change)
                                                      : changedToml(text, change);
  if (!made) return made;
  Result<Json> says = read(format, *made);
  if (says && format == Format::Toml && !change.value) {
    dropEmptyAbove(*says, change.path);
    dropEmptyAbove(*wanted, change.path);
  }
  if (!says || !same(*says, *wanted))
    return Failure{Fault::Conflict, "this program cannot safely change a file of this form"};
  return made;
}

} // namespace skillhost::app::edit
