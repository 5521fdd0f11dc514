// SPDX-License-Identifier: Apache-2.0
#include "configuration/usual_folders.hpp"

#include "beneath/top_link.hpp"
#include "configuration/source_names.hpp"
#include "settings/paths.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

namespace skillhost::app {
namespace {

struct UsualFolder {
  const char *path;
  const char *name; // name of the source, which is part of every skill's URI
};
constexpr std::array<UsualFolder, 5> usual{{{"~/.claude/skills", "claude"},
                                            {"./.claude/skills", "project-claude"},
                                            {"~/.agents/skills", "agents"},
                                            {"./.agents/skills", "project-agents"},
                                            {"./skills", "project"}}};

// Returns the real paths of the folders that these sources name, if the folders exist.
std::vector<std::string> foldersOf(const std::vector<SourceConfiguration> &sources,
                                   const Surroundings &surroundings) {
  std::vector<std::string> real;
  for (const SourceConfiguration &source : sources) {
    const auto folders = source.config.find("directories");
    if (folders == source.config.end() || !folders->is_array()) continue;
    for (const Json &one : *folders) {
      if (!one.is_string()) continue;
      std::error_code error;
      const std::filesystem::path path = std::filesystem::canonical(
          absolutePath(one.get<std::string>(), surroundings.workingDirectory, surroundings), error);
      if (!error) real.push_back(path.string());
    }
  }
  return real;
}

} // namespace

std::vector<std::string> usualFolderNames() {
  std::vector<std::string> names;
  names.reserve(usual.size());
  for (const UsualFolder &one : usual) names.emplace_back(one.path);
  return names;
}

std::vector<std::string> usualSourceNames() {
  std::vector<std::string> names;
  names.reserve(usual.size());
  for (const UsualFolder &one : usual) names.emplace_back(one.name);
  return names;
}

UsualFolders usualFolders(const Surroundings &surroundings,
                          const std::vector<SourceConfiguration> &taken) {
  std::vector<SourceConfiguration> all = taken;
  UsualFolders found;
  std::vector<std::string> seen = foldersOf(taken, surroundings);
  for (const UsualFolder &one : usual) {
    if (*one.path == '~' && surroundings.variable("HOME").empty()) continue;
    const std::string path = absolutePath(one.path, surroundings.workingDirectory, surroundings);
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      if (const std::string target = beneath::linkTextIn(path); !target.empty())
        found.notServed.push_back(
            path + " (" + target +
            ") is a link that git has written as a text, because core.symlinks is false, and is "
            "not served: run git config core.symlinks true, and check it out again");
      continue;
    }
    // A usual folder is often a link to another one, or the working directory is the home folder.
    const std::string real = std::filesystem::canonical(path, error).string();
    found.areThere = true;
    // The configuration of a source is JSON, which cannot hold such a path.
    if (const std::string wrong = settings::problemUnlessUtf8(path); !wrong.empty()) {
      found.notServed.push_back(path + wrong + "; it is not served");
      continue;
    }
    if (error || std::find(seen.begin(), seen.end(), real) != seen.end()) continue;
    // A user who starts the server in somebody's repository has not chosen to serve the folders
    // that its links lead to.
    if (*one.path == '.' && leadsOutOf(path, surroundings.workingDirectory)) {
      found.notServed.push_back(path + " (" + real +
                                ") is a link out of this folder and is not served: to serve its "
                                "skills, name it as a source");
      continue;
    }
    seen.push_back(real);
    SourceConfiguration source;
    source.name = nameForPath(one.name, all);
    source.key = "usual_folders";
    source.config["directories"] = Json::array({path});
    source.config["optional"] = true; // nobody has named it, so it may be deleted
    // For the same reason, links inside a project's folder are followed only within the project.
    if (*one.path == '.')
      source.config["follow_links_into"] = Json::array({surroundings.workingDirectory});
    all.push_back(source);
    found.sources.push_back(std::move(source));
  }
  return found;
}

} // namespace skillhost::app
