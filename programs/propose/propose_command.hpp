// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost propose`: their description and their values.
#pragma once

#include "app/log_configuration.hpp"
#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"
#include "connection/settings.hpp"

#include <string>

namespace skillhost {

struct ProposeSettings {
  std::string folder; // absolute; empty: list the proposals
  std::string note;
  ConnectSettings connect;
  bool json = false;
  app::LogConfiguration log{LogLevel::Warning, {}};
};

app::CommandDescription proposeDescription();

Result<ProposeSettings> readProposeSettings(const app::ParsedArguments &parsed,
                                            const app::Surroundings &surroundings);

} // namespace skillhost
