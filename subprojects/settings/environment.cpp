// SPDX-License-Identifier: Apache-2.0
#include "settings/environment.hpp"

namespace skillhost::settings {

std::string Environment::variable(const std::string &name) const {
  const auto found = variables.find(name);
  if (found == variables.end()) return {};
  // A relative path would mean another folder in every working directory.
  const bool isFolder = name == "HOME" || (name.starts_with("XDG_") && name.ends_with("_HOME"));
  return isFolder && !found->second.starts_with('/') ? std::string{} : found->second;
}

} // namespace skillhost::settings
