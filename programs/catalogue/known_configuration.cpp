// SPDX-License-Identifier: Apache-2.0
#include "known_configuration.hpp"

#include "command_line/given.hpp"

#include <utility>

namespace skillhost::app {

Result<KnownConfiguration> knownConfiguration(const ParsedArguments &arguments,
                                              const Surroundings &surroundings,
                                              const ConfigurationNeeds &needs) {
  Result<CommandLineSettings> settings = givenSettings(arguments);
  if (!settings) return settings.failure();
  settings->noFile = settings->noFile || needs.noFile;
  settings->resolveReferences = needs.resolveReferences;
  settings->checkNames = needs.checkNames;
  Result<LoadedConfiguration> read = readConfiguration(*settings, surroundings);
  if (!read && !needs.mayFail) return std::move(read).failure();
  if (read) {
    raiseLogLevel(*read, needs.log);
    return KnownConfiguration{*std::move(read), {}};
  }
  KnownConfiguration none;
  none.problems = read.failure().message;
  none.configuration.log.level = needs.log;
  return none;
}

CommandLog::CommandLog(const LoadedConfiguration &read, const Surroundings &surroundings)
    : logging_(read.configuration.log, surroundings) {
  for (const std::string &warning : read.warnings) log::warning("config", warning);
  for (const std::string &notice : read.notices) log::info("config", notice);
}

} // namespace skillhost::app
