// SPDX-License-Identifier: Apache-2.0
#include "plugin_directories.hpp"

#include "ground/folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace skillhost::app {

std::vector<std::string> builtInPluginDirectories(const std::string &executable) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(executable).parent_path();
  std::vector<std::string> found;
  std::error_code error;
  // Installed programs are <prefix>/bin/skillhost, with <prefix>/<libdir>/skillhost/plugins.
  const fs::path installed =
      (folder.parent_path() / SKILLHOST_LIBDIR / "skillhost" / "plugins").lexically_normal();
  if (fs::is_directory(installed, error)) found.push_back(installed.string());
  // Built programs are build/host/skillhost, with build/plugins/<kind>/<name>/<name>.so.
  if (folder.filename() != "host") return found;
  for (const char *kind : {"sources", "search", "auth", "state"}) {
    const fs::path plugins = folder.parent_path() / "plugins" / kind;
    for (const std::string &name : namesIn(plugins.string(), error))
      if (fs::is_directory(plugins / name, error)) found.push_back((plugins / name).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string hostCacheDirectory() {
  const auto variable = [](const char *name) -> std::string {
    const char *value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody changes it
    return value == nullptr || *value != '/' ? "" : value;
  };
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/skillhost";
  const std::string home = variable("HOME");
  return home.empty() ? home : home + "/.cache/skillhost";
}

namespace {

std::string cacheDirectory(const char *part) {
  const std::string folder = hostCacheDirectory();
  return folder.empty() ? folder : folder + '/' + part;
}

} // namespace

std::string pluginCacheDirectory() { return cacheDirectory("plugins"); }
std::string skillCopiesDirectory() { return cacheDirectory("copies"); }

} // namespace skillhost::app
