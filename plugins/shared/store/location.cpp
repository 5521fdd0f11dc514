// SPDX-License-Identifier: Apache-2.0
#include "location.hpp"

namespace skillhost::store {

std::string defaultRoot(const std::string &dataHome, const std::string &home) {
  if (dataHome.starts_with('/')) return dataHome + "/skillhost/skills";
  return home.starts_with('/') ? home + "/.local/share/skillhost/skills" : std::string{};
}

std::string defaultKeyFile(const std::string &configHome, const std::string &home,
                           const std::string &name) {
  if (configHome.starts_with('/')) return configHome + "/skillhost/" + name;
  return home.starts_with('/') ? home + "/.config/skillhost/" + name : std::string{};
}

} // namespace skillhost::store
