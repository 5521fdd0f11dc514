// SPDX-License-Identifier: Apache-2.0
// This is the only source outside isolation/ that includes one of its headers, if the folder
// exists.
#include "app/plugin_isolation.hpp"

#if __has_include("isolation/isolation.hpp")
#include "commandline/separate_program.hpp"
#include "isolation/isolation.hpp"

#include <filesystem>
#include <system_error>

namespace skillhost::app {

std::shared_ptr<const PluginIsolation> pluginIsolation(const std::string &executable) {
  std::string runner;
  std::error_code unknown;
  // If no place has a runner, the last place is used, and makeIsolation() names it in its message.
  for (const std::string &place : programPlaces(executable, "runner", "isolation"))
    if (!std::filesystem::exists(runner, unknown)) runner = place;
  return makeIsolation(runner);
}

} // namespace skillhost::app
#else
namespace skillhost::app {

std::shared_ptr<const PluginIsolation> pluginIsolation(const std::string & /*executable*/) {
  return nullptr;
}

} // namespace skillhost::app
#endif
