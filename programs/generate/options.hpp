// SPDX-License-Identifier: Apache-2.0
// The settings of `skillhost generate`.
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
  std::string name;                 // a valid name for the skill
  std::vector<std::string> command; // starts the server; empty: it is at connect.url
  ConnectSettings connect;
  std::string output;   // absolute folder; empty: the store
  SavingSettings store; // used without `output`
  std::chrono::seconds timeout{30};
  bool force = false, dryRun = false, json = false;
  app::LogConfiguration log{LogLevel::Warning, {}};
};

// `arguments` are all arguments: the server's command follows "--".
Result<GenerateSettings> readGenerateSettings(std::span<const std::string> arguments,
                                              const app::ParsedArguments &parsed,
                                              const app::Surroundings &surroundings);

} // namespace skillhost
