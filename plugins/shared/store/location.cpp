// SPDX-License-Identifier: Apache-2.0
#include "location.hpp"

namespace skillhost::store {

std::string defaultRoot(const std::string &dataHome, const std::string &home) {
  if (dataHome.starts_with('/')) return dataHome + "/skillhost/skills";
  return home.starts_with('/') ? home + "/.local/share/skillhost/skills" : std::string{};
}

} // namespace skillhost::store
