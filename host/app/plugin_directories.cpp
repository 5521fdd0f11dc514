// SPDX-License-Identifier: Apache-2.0
#include "plugin_directories.hpp"

#include "base/log.hpp"
#include "ground/folder.hpp"
#include "plugin_calls/library.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace skillhost::app {

namespace {

namespace fs = std::filesystem;

// Returns the files that the list in this folder names. Another user must not be able to change it.
std::vector<std::string> listedPlugins(const std::string &folder) {
  const std::string list = folder + "/built-in.txt";
  std::vector<std::string> files;
  if (const Status trusted = checkOwnership(list); !trusted) {
    log::warning("plugin",
                 "no plugin in " + folder + " counts as built in: " + trusted.failure().message);
    return files;
  }
  std::ifstream lines(list);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line.front() != '#' && line.find('/') == std::string::npos)
      files.push_back(folder + '/' + line);
  return files;
}

} // namespace

std::string installedPluginDirectory(const std::string &executable) {
  // Installed programs are <prefix>/bin/skillhost, with <prefix>/<libdir>/skillhost/plugins.
  const fs::path prefix = fs::path(executable).parent_path().parent_path();
  const fs::path folder = (prefix / SKILLHOST_LIBDIR / "skillhost" / "plugins").lexically_normal();
  std::error_code error;
  return fs::is_directory(folder, error) ? folder.string() : std::string();
}

std::vector<std::string> builtInPlugins(const std::string &executable) {
  std::vector<std::string> found;
  if (const std::string installed = installedPluginDirectory(executable); !installed.empty())
    found = listedPlugins(installed);
  // Built programs are build/host/skillhost, with build/plugins/<kind>/<name>/<name>.so.
  const fs::path folder = fs::path(executable).parent_path();
  std::error_code error;
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
