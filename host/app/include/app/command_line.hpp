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

// Parses `arguments`, which lack the program's name, and decides what the process has to do. Reads
// the configuration if it is to be served or printed. Starts and prints nothing. If the command has
// a program of its own, that program parses the arguments after the command. The caller writes the
// failure's message to stderr and exits with 1. The message names the option, or the file with line
// and column, and says what to write.
Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings);

// Handles options of the server that make a program print a text and do nothing else: --version,
// --example-config, --config-schema and, with `takesConfiguration`, --print-config. Returns the
// text, or nothing if none of these options is given. Fails if the configuration to print cannot be
// read.
Result<std::optional<std::string>> textToPrint(const ParsedArguments &arguments,
                                               const Surroundings &surroundings,
                                               bool takesConfiguration);

// Checks arguments as the program of their command would, without running it. Reads the files that
// describe commands. The failure is the one that the program would print.
Status checkArguments(std::span<const std::string> arguments, const Surroundings &surroundings);

} // namespace skillhost::app
