// SPDX-License-Identifier: Apache-2.0
#include "plugin/roles.hpp"

#include "process/runner.hpp"

#include <cstdlib>

namespace skillhost {

std::optional<int> playPluginRole(const std::vector<std::string> &arguments) {
  if (arguments.size() != 2) return std::nullopt;
  if (arguments[0] == "plugin-runner")
    return process::runPlugin(static_cast<pid_t>(std::strtol(arguments[1].c_str(), nullptr, 10)));
  return std::nullopt;
}

} // namespace skillhost
