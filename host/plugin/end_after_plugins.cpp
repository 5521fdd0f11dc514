// SPDX-License-Identifier: Apache-2.0
#include "plugin/end_after_plugins.hpp"

#include "plugin/executor.hpp"
#include "plugin/registry.hpp"

#include <cstdio>
#include <cstdlib>

namespace skillhost {

int endAfterPlugins(int code) {
  if (PluginExecutor::totalLostThreads() == 0 && !thirdPartyPluginLoaded()) return code;
  std::fflush(nullptr);
  std::_Exit(code);
}

} // namespace skillhost
