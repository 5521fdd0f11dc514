// SPDX-License-Identifier: Apache-2.0
// A made-up machine: a temporary folder, an environment, and short ways to read a configuration.
#pragma once

#include "command_line/program.hpp"
#include "commandline/parser.hpp"
#include "configuration/read_configuration.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace made_up {

using namespace skillhost;
using namespace skillhost::app;
using namespace skillhost::settings;

// A machine in a folder of its own, removed at the end. Its home has no configuration.
class Machine {
public:
  Machine() {
    std::string name = (std::filesystem::temp_directory_path() / "skillhost-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = name;
    std::filesystem::create_directory(folder + "/home");
    surroundings.variables["HOME"] = folder + "/home";
    surroundings.workingDirectory = folder;
    surroundings.executable = "/usr/bin/skillhost";
  }
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;
  ~Machine() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  std::string write(const std::string &name, const std::string &content) const {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }
  // Reads the configuration in a file with this content.
  Result<LoadedConfiguration> read(const std::string &content) const {
    CommandLineSettings given;
    given.file = write("skillhost.yaml", content);
    return readConfiguration(given, surroundings);
  }
  // Returns the problem in it, without the path of the file; "" when there is none.
  std::string problem(const std::string &content) const {
    const Result<LoadedConfiguration> result = read(content);
    if (result) return {};
    std::string text = result.failure().message;
    const std::string path = folder + '/';
    for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;)
      text.erase(at, path.size());
    return text;
  }
  // Parses the arguments of skillhost itself, which name no command except its own.
  static Result<ParsedArguments> parse(const std::vector<std::string> &arguments) {
    return parseArguments(programDescription(), arguments);
  }

  std::string folder;
  Surroundings surroundings;
};

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace made_up
