// SPDX-License-Identifier: Apache-2.0
#include "separate_program.hpp"

#include "ground/shown.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace skillhost::app {

std::vector<std::string> programPlaces(const std::string &executable, const std::string &name) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(executable).parent_path();
  const std::string file = "skillhost-" + name;
  // Installed: <prefix>/bin/skillhost and <prefix>/<libexecdir>/skillhost/skillhost-NAME.
  std::vector<std::string> places{
      (folder.parent_path() / SKILLHOST_LIBEXECDIR / "skillhost" / file).lexically_normal()};
  // Built: build/host/skillhost and build/programs/NAME/skillhost-NAME.
  if (folder.filename() == "host")
    places.push_back((folder.parent_path() / "programs" / name / file).string());
  return places;
}

int runProgram(const ProgramInvocation &program, const std::string &executable) {
  const std::vector<std::string> places = programPlaces(executable, program.name);
  std::string looked;
  for (const std::string &place : places) {
    // Its own name is this program's: whoever looks at processes sees what was started, and the
    // program knows where it belongs to.
    std::vector<std::string> words{executable};
    words.insert(words.end(), program.arguments.begin(), program.arguments.end());
    std::vector<char *> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string &word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(place.c_str(), pointers.data());
    if (errno != ENOENT && errno != ENOTDIR) {
      printShown(stderr, "skillhost: %s cannot be executed: %s\n", place.c_str(),
                 std::generic_category().message(errno).c_str());
      return 1;
    }
    looked += (looked.empty() ? "" : " and ") + place;
  }
  printShown(stderr,
             "skillhost: the command %s is a program of its own, skillhost-%s, which is not "
             "installed: looked for %s\n",
             program.command.c_str(), program.name.c_str(), looked.c_str());
  return 1;
}

} // namespace skillhost::app
