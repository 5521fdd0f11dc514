// SPDX-License-Identifier: Apache-2.0
#include "installed_models.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace skillhost::embedding {
namespace {

namespace fs = std::filesystem;

std::string variable(const char *name) {
  const char *value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? "" : value;
}

// Returns PREFIX for PREFIX/bin/skillhost and for PREFIX/LIBEXECDIR/skillhost/skillhost-NAME.
fs::path prefixOf(const fs::path &executable) {
  const fs::path folder = executable.parent_path();
  const fs::path programs = fs::path(SKILLHOST_LIBEXECDIR) / "skillhost";
  fs::path prefix = folder;
  for (auto part = programs.end(); part != programs.begin();) {
    if (prefix.filename() != *--part) return folder.parent_path();
    prefix = prefix.parent_path();
  }
  return prefix;
}

} // namespace

Installation installationOfThisProcess() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  return {variable("XDG_DATA_HOME"), variable("HOME"), error ? "" : executable.string()};
}

std::string ownModels(const Installation &installation) {
  if (installation.dataHome.starts_with('/')) return installation.dataHome + "/skillhost/models";
  if (installation.home.starts_with('/'))
    return installation.home + "/.local/share/skillhost/models";
  return {};
}

std::vector<std::string> modelPlaces(const Installation &installation) {
  std::vector<std::string> places;
  const auto add = [&places](const fs::path &place) {
    std::string path = place.lexically_normal().string();
    if (std::find(places.begin(), places.end(), path) == places.end())
      places.push_back(std::move(path));
  };
  if (const std::string own = ownModels(installation); !own.empty()) add(own);
  if (installation.executable.starts_with('/')) {
    const fs::path prefix = prefixOf(installation.executable);
    add(prefix / SKILLHOST_DATADIR / "skillhost" / "models");
    // Like Node.js, looks into each folder of packages above, because npm may put the package of
    // the program into that of its launcher.
    for (fs::path above = prefix; above != above.parent_path(); above = above.parent_path())
      if (above.parent_path().filename() == "node_modules")
        add(above.parent_path() / "skillhost-model-minilm" / "models");
  }
  add("/usr/local/share/skillhost/models");
  add("/usr/share/skillhost/models");
  return places;
}

InstalledModels installedModels(const std::vector<std::string> &places) {
  InstalledModels installed;
  for (const std::string &place : places) {
    std::vector<std::string> found;
    std::error_code error;
    fs::directory_iterator each(place, error);
    for (const fs::directory_iterator end; !error && each != end; each.increment(error)) {
      std::error_code unknown;
      if (each->is_directory(unknown) && !each->path().filename().string().starts_with('.'))
        found.push_back(each->path().string());
    }
    if (error && error != std::errc::no_such_file_or_directory)
      installed.problems.push_back(place + ": " + error.message());
    std::sort(found.begin(), found.end());
    installed.folders.insert(installed.folders.end(), found.begin(), found.end());
  }
  return installed;
}

} // namespace skillhost::embedding
