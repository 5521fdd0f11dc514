// SPDX-License-Identifier: Apache-2.0
#include "plugin/roles.hpp"

#include "plugin/executor.hpp"
#include "plugin/registry.hpp"
#include "process/runner.hpp"
#include "process/scan.hpp"

#include <cstdio>
#include <cstdlib>

namespace skillhost {

std::optional<int> playPluginRole(const std::vector<std::string> &arguments) {
  const auto host = [&](std::size_t at) {
    return at < arguments.size()
               ? static_cast<pid_t>(std::strtol(arguments[at].c_str(), nullptr, 10))
               : 0;
  };
  if (arguments.size() == 2 && arguments[0] == "plugin-runner") return process::runPlugin(host(1));
  if (arguments.size() >= 2 && arguments.size() <= 4 && arguments[0] == "plugin-scan")
    return process::scanHere(arguments[1], host(2), arguments.size() == 4);
  return std::nullopt;
}

int endAfterPlugins(int code) {
  if (PluginExecutor::lostInAll() == 0 && !thirdPartyPluginLoaded()) return code;
  std::fflush(nullptr);
  std::_Exit(code);
}

} // namespace skillhost
