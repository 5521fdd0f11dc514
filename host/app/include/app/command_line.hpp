// SPDX-License-Identifier: Apache-2.0
// The result of parsing the command line, and of reading the configuration if it is needed.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "commandline/separate_program.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skillhost::app {

struct Invocation {
  enum class Command : std::uint8_t {
    Serve,   // configuration, configurationFile, warnings, notices
    Program, // program
    Print,   // text to stdout, exit 0: help, version, completion, ...
  };

  Command command = Command::Serve;
  Configuration configuration;
  std::string configurationFile; // the file that was read; empty if there was none
  // Warnings about the configuration or the files that describe commands, for the caller to log.
  std::vector<std::string> warnings;
  std::vector<std::string> notices; // about the configuration, for the caller to log
  ProgramInvocation program;
  std::string text;
};

// Parses `arguments`, which lack the program's name. Reads the configuration to serve or print it,
// and starts and prints nothing. The arguments after a command that is a program of its own are
// left to that program. The failure's message is for stderr, followed by exit 1: it names the
// option, or the file with line and column, and says what to write.
Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings);

// Returns the text that a program prints in place of its work if it was given such an option of
// the server: the version, the schema, ... Returns nothing without such an option. With
// `takesConfiguration` the configuration in effect is one of these texts.
Result<std::optional<std::string>> printedInstead(const ParsedArguments &arguments,
                                                  const Surroundings &surroundings,
                                                  bool takesConfiguration);

// Returns the failure of arguments that the program of their command would refuse. Reads the files
// that describe commands.
Status checkArguments(std::span<const std::string> arguments, const Surroundings &surroundings);

} // namespace skillhost::app
