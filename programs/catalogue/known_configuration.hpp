// SPDX-License-Identifier: Apache-2.0
// Reads the configuration of a server for a command, and sets up the command's log.
#pragma once

#include "app/log_configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "configuration/read_configuration.hpp"

#include <string>

namespace skillhost::app {

struct ConfigurationNeeds {
  // The lowest level that is logged, unless the command line or the environment sets one.
  LogLevel log = LogLevel::Warning;
  bool mayFail = false; // without a configuration, the command goes on and says why
  // These have the meaning that they have in Given.
  bool noFile = false;
  bool resolveReferences = true;
  bool checkNames = true;
};

struct KnownConfiguration : LoadedConfiguration {
  std::string problems; // reasons why it could not be read, one per line; empty: it could
};

// Starts nothing and prints nothing. A failure's message names the option, or the file with line
// and column, and says what to write.
Result<KnownConfiguration> knownConfiguration(const ParsedArguments &arguments,
                                              const Surroundings &surroundings,
                                              const ConfigurationNeeds &needs = {});

// The log of a command during its lifetime. It begins with the remarks about the configuration.
class CommandLog {
public:
  CommandLog(const LoadedConfiguration &read, const Surroundings &surroundings);

private:
  Logging logging_;
};

} // namespace skillhost::app
