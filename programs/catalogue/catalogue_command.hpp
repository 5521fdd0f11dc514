// SPDX-License-Identifier: Apache-2.0
// Each command's folder gives skillhost-catalogue one CatalogueCommand.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <string_view>
#include <vector>

namespace skillhost::app {

// A folder defines a function that returns one. Meson writes a table that declares and lists these
// functions.
struct CatalogueCommand {
  std::vector<CommandDescription> descriptions;
  // Carries out one of the described commands and returns the exit code.
  int (*carryOut)(const ParsedArguments &arguments, const Surroundings &surroundings) = nullptr;
  // The last word of a command that has no configuration to print for --print-config.
  std::string_view withoutConfiguration{};
  // Returns the program that carries out the given command instead of this one; empty: none.
  std::string_view (*handsOnTo)(const ParsedArguments &arguments) = nullptr;
};

// Returns the commands of all folders.
std::vector<CatalogueCommand> catalogueCommands();

// Returns skillhost with the options of the server and all these commands.
CommandDescription catalogueDescription();

} // namespace skillhost::app
