// SPDX-License-Identifier: Apache-2.0
// What the members of a plugin's JSON objects are, where only text will do.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {

inline bool isText(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string();
}

inline bool isTextOrAbsent(const Json &object, const char *name) {
  return !object.contains(name) || isText(object, name);
}

} // namespace skillhost
