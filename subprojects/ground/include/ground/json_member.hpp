// SPDX-License-Identifier: Apache-2.0
// A member of a JSON object that others wrote, for who looks at its kind before its value.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {

// A null of its own when there is none, or when it is no object. Valid as long as the object.
inline const Json &memberOf(const Json &object, const char *name) {
  static const Json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

} // namespace skillhost
