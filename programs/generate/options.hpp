// SPDX-License-Identifier: Apache-2.0
// What `skillhost generate` was told.
#pragma once

#include "app/log_configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "connection/settings.hpp"
#include "saving.hpp"

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace skillhost {

struct GenerateSettings {
  std::string name;                 // of the skill, by the rules
  std::vector<std::string> command; // that starts the server; empty: it is at connect.url
  ConnectSettings connect;
  std::string output;   // absolute folder; empty: the store
  SavingSettings store; // when there is no folder
  std::chrono::seconds timeout{30};
  bool force = false, dryRun = false, json = false;
  app::LogConfiguration log{LogLevel::Warning, {}};
};

// `arguments` are all there were: behind "--" stands what starts the server.
Result<GenerateSettings> readGenerateSettings(std::span<const std::string> arguments,
                                              const app::ParsedArguments &given,
                                              const app::Surroundings &surroundings);

} // namespace skillhost
