// SPDX-License-Identifier: Apache-2.0
// A made-up machine on which skillhost is installed and started, with files that describe commands.
#pragma once

#include "app/command_line.hpp"
#include "commandline/description_file.hpp"
#include "made_up.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace made_up {

// Returns the description of a command that is a separate program of the project.
inline CommandDescription separate(std::string name, std::string program, ServerOptions options) {
  CommandDescription command{std::move(name), "Do something else.", false, {helpOption()}};
  command.program = std::move(program);
  command.serverOptions = options;
  return command;
}

struct CommandedMachine : Machine {
  CommandedMachine() { surroundings.executable = folder + "/bin/skillhost"; }

  // Installs a description of the project for the command `file`, such as skill.save.
  void describe(const std::string &file, const CommandDescription &command) const {
    write("share/skillhost/commands/" + file + ".json", descriptionText(command));
  }
  // Makes a program of a stranger, in a folder that is on PATH alone.
  std::string offer(const std::string &name) {
    std::string file = write("elsewhere/skillhost-" + name, "#!/bin/sh\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    surroundings.variables["PATH"] = folder + "/elsewhere";
    return file;
  }
  Result<Invocation> run(const std::vector<std::string> &arguments) const {
    return parseCommandLine(arguments, surroundings);
  }
};

} // namespace made_up
