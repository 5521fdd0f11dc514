// SPDX-License-Identifier: Apache-2.0
#include "commandline/separate_program.hpp"

#include "ground/folder.hpp"
#include "ground/shown.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <system_error>

#include <unistd.h>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;

// Returns build/programs for build/host/skillhost; build/programs/NAME has the files of
// skillhost-NAME. Empty for an installed program.
fs::path builtPrograms(const fs::path &executable) {
  const fs::path folder = executable.parent_path();
  return folder.filename() == "host" ? folder.parent_path() / "programs" : fs::path{};
}

// Returns false if the list already has this folder, under any path.
bool isNewFolder(const std::vector<CommandFolder> &folders, const std::string &path) {
  return std::none_of(folders.begin(), folders.end(), [&](const CommandFolder &one) {
    std::error_code error;
    return fs::equivalent(one.path, path, error);
  });
}

int cannotBeExecuted(const std::string &file, const std::string &why) {
  printShown(stderr, "skillhost: %s cannot be executed: %s\n", file.c_str(), why.c_str());
  return 1;
}

// Returns only if the file cannot be executed. errno says why.
int execute(const std::string &file, std::vector<std::string> words) {
  std::vector<char *> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string &word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  // prepareProcess() ignores this signal, and the program would inherit that.
  std::signal(SIGXFSZ, SIG_DFL);
  ::execv(file.c_str(), pointers.data());
  return errno;
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

std::vector<CommandFolder> commandFolders(const SearchRoots &roots) {
  const fs::path executable = roots.executable;
  std::vector<CommandFolder> folders;
  if (const fs::path built = builtPrograms(executable); !built.empty()) {
    std::error_code error;
    for (const std::string &name : namesIn(built.string(), error))
      if (fs::is_directory(built / name, error)) folders.push_back({(built / name).string()});
    std::sort(folders.begin(), folders.end(),
              [](const auto &one, const auto &other) { return one.path < other.path; });
  } else {
    folders.push_back(
        {(executable.parent_path().parent_path() / SKILLHOST_DATADIR / "skillhost" / "commands")
             .lexically_normal()
             .string()});
  }
  if (const std::string user = roots.dataHome + "/skillhost/commands";
      !roots.dataHome.empty() && isNewFolder(folders, user))
    folders.push_back({user, DescriptionBy::Others});
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
  // A program of ours gets skillhost's own path as its name: lists of processes show what was
  // started, and the program finds the other files of skillhost from there.
  std::vector<std::string> words{program.file.empty() ? executable : program.file};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  if (!program.file.empty()) {
    const int error = execute(program.file, std::move(words));
    // The file itself exists. The kernel gives the same error for a missing interpreter.
    const bool isInterpreter = error == ENOENT || error == ENOTDIR;
    return cannotBeExecuted(program.file, isInterpreter ? "its interpreter is not there"
                                                        : std::generic_category().message(error));
  }
  std::string searched;
  for (const std::string &place :
       programPlaces(executable, program.name, "programs/" + program.name)) {
    const int error = execute(place, words);
    if (error != ENOENT && error != ENOTDIR)
      return cannotBeExecuted(place, std::generic_category().message(error));
    searched += (searched.empty() ? "looked for " : " and ") + place;
  }
  printShown(stderr,
             "skillhost: the command %s is a program of its own, skillhost-%s, which is not "
             "installed: %s\n",
             program.command.c_str(), program.name.c_str(), searched.c_str());
  return 1;
}

} // namespace skillhost::app
