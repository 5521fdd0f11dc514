// SPDX-License-Identifier: Apache-2.0
// The one source outside isolation/ that includes a header of it, if the folder is there.
#include "app/plugin_isolation.hpp"

#include <filesystem>
#include <system_error>

#if __has_include("isolation/isolation.hpp")
#include "isolation/isolation.hpp"

namespace skillhost::app {

std::shared_ptr<const PluginIsolation> pluginIsolation(const std::string &executable) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(executable).parent_path();
  // Installed: <prefix>/bin/skillhost and <prefix>/<libexecdir>/skillhost/skillhost-runner.
  fs::path runner = (folder.parent_path() / SKILLHOST_LIBEXECDIR / "skillhost" / "skillhost-runner")
                        .lexically_normal();
  // Built: build/host/skillhost and build/isolation/skillhost-runner.
  std::error_code unknown;
  if (folder.filename() == "host" && !fs::exists(runner, unknown))
    runner = folder.parent_path() / "isolation" / "skillhost-runner";
  return makeIsolation(runner.string());
}

} // namespace skillhost::app
#else
namespace skillhost::app {

std::shared_ptr<const PluginIsolation> pluginIsolation(const std::string & /*executable*/) {
  return nullptr;
}

} // namespace skillhost::app
#endif
