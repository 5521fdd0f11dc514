// SPDX-License-Identifier: Apache-2.0
// Returns a number and its noun: "1 skill", "2 skills".
#pragma once

#include <cstddef>
#include <string>

namespace skillhost {

inline std::string counted(std::size_t count, const std::string &what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

} // namespace skillhost
