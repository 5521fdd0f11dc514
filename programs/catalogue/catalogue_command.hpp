// SPDX-License-Identifier: Apache-2.0
// The folder of a command gives skillhost-catalogue one CatalogueCommand.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <string_view>
#include <vector>

namespace skillhost::app {

// A folder defines a function that returns one. The table in which Meson writes these functions
// down also declares them.
struct CatalogueCommand {
  std::vector<CommandDescription> descriptions;
  // Carries out the commands that are described. Returns the exit code.
  int (*carryOut)(const ParsedArguments &given, const Surroundings &surroundings) = nullptr;
  // The last word of a command that has no configuration to print for --print-config.
  std::string_view withoutConfiguration{};
  // Returns the name of the program that carries out what is given in place of this program; empty
  // if none does.
  std::string_view (*handsOnTo)(const ParsedArguments &given) = nullptr;
};

// Returns those of all folders.
std::vector<CatalogueCommand> catalogueCommands();

// Returns skillhost with the options of the server and all these commands.
CommandDescription catalogueDescription();

} // namespace skillhost::app
