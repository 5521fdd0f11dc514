// SPDX-License-Identifier: Apache-2.0
// Describes and reads the arguments of `skillhost sync`.
#pragma once

#include "agent_folders.hpp"
#include "app/log_configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"
#include "connection/settings.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace skillhost::sync {

struct SyncInvocation {
  std::vector<TargetFolder> targets;
  bool dryRun = false, remove = false, follow = false, json = false;
  std::chrono::seconds interval{60};
  // The server to read from; nothing: the sources of the configuration.
  std::optional<ConnectSettings> server;
  app::LogConfiguration log{LogLevel::Warning}; // with a server
};

app::CommandDescription syncDescription();

Result<SyncInvocation> syncInvocation(const app::ParsedArguments &given,
                                      const app::Surroundings &surroundings);

} // namespace skillhost::sync
