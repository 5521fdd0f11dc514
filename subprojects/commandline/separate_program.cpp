// SPDX-License-Identifier: Apache-2.0
#include "commandline/separate_program.hpp"

#include "ground/folder.hpp"
#include "ground/shown.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sstream>
#include <system_error>

#include <unistd.h>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;

// Built: build/host/skillhost, and build/programs/NAME with what belongs to skillhost-NAME. Empty
// for a program that is installed.
fs::path builtPrograms(const fs::path &executable) {
  const fs::path folder = executable.parent_path();
  return folder.filename() == "host" ? folder.parent_path() / "programs" : fs::path{};
}

// Executes one of these files. `looked` says which of them are not there.
int executeFirst(const std::vector<std::string> &places, std::vector<std::string> words,
                 std::string &looked) {
  std::vector<char *> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string &word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  for (const std::string &place : places) {
    ::execv(place.c_str(), pointers.data());
    if (errno != ENOENT && errno != ENOTDIR) {
      printShown(stderr, "skillhost: %s cannot be executed: %s\n", place.c_str(),
                 std::generic_category().message(errno).c_str());
      return 1;
    }
    looked += (looked.empty() ? "looked for " : " and ") + place;
  }
  return 0;
}

} // namespace

std::vector<std::string> programPlaces(const std::string &executable, const std::string &name,
                                       const std::string &builtIn) {
  const std::string file = "skillhost-" + name;
  // Installed: <prefix>/bin/skillhost and <prefix>/<libexecdir>/skillhost/skillhost-NAME.
  std::vector<std::string> places{
      (fs::path(executable).parent_path().parent_path() / SKILLHOST_LIBEXECDIR / "skillhost" / file)
          .lexically_normal()};
  if (const fs::path built = builtPrograms(executable); !built.empty())
    places.push_back((built.parent_path() / builtIn / file).string());
  return places;
}

std::vector<std::string> commandFolders(const ProgramPlaces &places) {
  const fs::path executable = places.executable;
  std::vector<std::string> folders;
  if (const fs::path built = builtPrograms(executable); !built.empty()) {
    std::error_code error;
    for (const std::string &name : namesIn(built.string(), error))
      if (fs::is_directory(built / name, error)) folders.push_back((built / name).string());
    std::sort(folders.begin(), folders.end());
  } else {
    folders.push_back(
        (executable.parent_path().parent_path() / SKILLHOST_DATADIR / "skillhost" / "commands")
            .lexically_normal()
            .string());
  }
  if (!places.dataHome.empty()) folders.push_back(places.dataHome + "/skillhost/commands");
  return folders;
}

std::string programOnPath(const std::string &path, const std::string &name) {
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.starts_with('/')) continue;
    std::string file = folder + "/skillhost-" + name;
    std::error_code error;
    if (fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

int runProgram(const ProgramInvocation &program, const std::string &executable) {
  const bool isOurs = program.file.empty();
  // A program of ours gets our own name: whoever looks at processes sees what was started, and the
  // program knows where it belongs to.
  std::vector<std::string> words{isOurs ? executable : program.file};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::string looked;
  if (executeFirst(isOurs ? programPlaces(executable, program.name, "programs/" + program.name)
                          : std::vector<std::string>{program.file},
                   std::move(words), looked) != 0)
    return 1;
  printShown(stderr,
             "skillhost: the command %s is a program of its own, skillhost-%s, which is not "
             "installed: %s\n",
             program.command.c_str(), program.name.c_str(), looked.c_str());
  return 1;
}

} // namespace skillhost::app
