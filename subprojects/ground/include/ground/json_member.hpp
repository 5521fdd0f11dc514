// SPDX-License-Identifier: Apache-2.0
// Reads a member of a JSON object from others, for callers that check its type before its value.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {

// Returns a null value if the member is missing, or if `object` is not an object. Valid as long as
// the object.
inline const Json &memberOf(const Json &object, const char *name) {
  static const Json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

} // namespace skillhost
