// SPDX-License-Identifier: Apache-2.0
// The configuration of a server, as a command reads it, and the log of the command.
#pragma once

#include "app/log_configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "configuration/read_configuration.hpp"

#include <string>

namespace skillhost::app {

struct ConfigurationNeeds {
  // The lowest level that is logged, unless the command line or the environment names one.
  LogLevel log = LogLevel::Warning;
  bool mayFail = false; // the command goes on without a configuration, and tells why
  // The same as in Given.
  bool noFile = false;
  bool resolveReferences = true;
  bool checkNames = true;
};

struct KnownConfiguration : ReadConfiguration {
  std::string problems; // why it could not be read, one a line; empty: it could
};

// Starts nothing and prints nothing. The failure's message names the option, or the file with line
// and column, and says what to write.
Result<KnownConfiguration> knownConfiguration(const ParsedArguments &given,
                                              const Surroundings &surroundings,
                                              const ConfigurationNeeds &needs = {});

// The log of a command, as long as it lives. It begins with what was noticed of the configuration.
class CommandLog {
public:
  CommandLog(const ReadConfiguration &read, const Surroundings &surroundings);

private:
  Logging logging_;
};

} // namespace skillhost::app
