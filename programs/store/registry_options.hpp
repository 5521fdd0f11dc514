// SPDX-License-Identifier: Apache-2.0
// Reads the options of `skillhost skill push` and `skill pull`: the reference, the credentials and
// the settings of the connection.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "oci/registry.hpp"

#include <chrono>
#include <string>

namespace skillhost {

struct RegistrySettings {
  // Has neither tag nor digest if a push names none. Then only its digest names the artefact.
  oci::Reference reference;
  oci::Login login;
  std::string caFile; // absolute; empty: the system's authorities
  bool plainHttp = false, allowPrivateAddresses = false, force = false;
  std::chrono::seconds timeout{300}; // for the whole command
};

// Reads the options and the reference of `skill push` and `skill pull`, which store_commands.cpp
// describes, and the files of logins and tokens that they name. A failure names the option, and
// never contains a secret.
Result<RegistrySettings> readRegistrySettings(const app::ParsedArguments &arguments,
                                              const app::Surroundings &surroundings);

} // namespace skillhost
