// SPDX-License-Identifier: Apache-2.0
// What the person who started the program wants, read from the command line and everything below
// it.
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
  std::string configurationFile; // that was read; empty: none
  // About the configuration or the files that describe commands, to be logged by the caller.
  std::vector<std::string> warnings;
  std::vector<std::string> notices; // about the configuration, the same
  ProgramInvocation program;
  std::string text;
};

// `arguments` without the program's name. Reads the configuration to serve or print it, and starts
// nothing, prints nothing. The arguments behind a command that is a program of its own are left to
// that program. The failure's message is for stderr, then exit 1: it names the option, or the file
// with line and column, and says what to write.
Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings);

// Returns the text that a program prints in place of its work if it was given such an option of
// the server: the version, the schema, ... Returns nothing without such an option. With
// `takesConfiguration` the configuration in effect is one of these texts.
Result<std::optional<std::string>> printedInstead(const ParsedArguments &given,
                                                  const Surroundings &surroundings,
                                                  bool takesConfiguration);

// The failure of arguments that the program of their command would refuse. Reads the files that
// describe commands.
Status checkArguments(std::span<const std::string> arguments, const Surroundings &surroundings);

} // namespace skillhost::app
