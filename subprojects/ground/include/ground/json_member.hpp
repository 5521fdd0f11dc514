// SPDX-License-Identifier: Apache-2.0
// Reads a member of a JSON object from others, for callers that check its type before its value.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace skillhost {

// Returns null if the member is missing, or if `object` is not an object. Takes a part of the time
// of the library's find(), which measures `name` again for each member. Valid as long as the
// object.
inline const Json *findMember(const Json &object, std::string_view name) {
  if (const auto *const members = object.get_ptr<const Json::object_t *>())
    for (const auto &[key, value] : *members)
      if (key == name) return &value;
  return nullptr;
}

// Returns a null value in place of a missing member.
inline const Json &memberOf(const Json &object, std::string_view name) {
  static const Json none;
  const Json *const found = findMember(object, name);
  return found == nullptr ? none : *found;
}

// Returns a member that is text; empty if it is missing or something else.
inline std::string_view memberText(const Json &object, std::string_view name) {
  const auto *const text = memberOf(object, name).get_ptr<const std::string *>();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

} // namespace skillhost
