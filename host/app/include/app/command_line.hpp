// SPDX-License-Identifier: Apache-2.0
// What the person who started the program wants, read from the command line and everything below
// it.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skillhost::app {

// For a command that is a program of its own.
struct ProgramInvocation {
  std::string name;                   // of the program: skillhost-NAME
  std::string command;                // that it carries out, for messages
  std::vector<std::string> arguments; // as they were given
};

struct Invocation {
  enum class Command : std::uint8_t {
    Serve,   // configuration, configurationFile, warnings, notices
    Program, // program
    Print,   // text to stdout, exit 0: help, version, completion, ...
  };

  Command command = Command::Serve;
  Configuration configuration;
  std::string configurationFile;     // that was read; empty: none
  std::vector<std::string> warnings; // about the configuration, to be logged by the caller
  std::vector<std::string> notices;  // the same
  ProgramInvocation program;
  std::string text;
};

// `arguments` without the program's name. Reads the configuration where the command needs one, and
// starts nothing, prints nothing. The failure's message is for stderr, then exit 1: it names the
// option, or the file with line and column, and says what to write.
Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings);

} // namespace skillhost::app
