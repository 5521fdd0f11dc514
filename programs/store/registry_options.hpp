// SPDX-License-Identifier: Apache-2.0
// The artefact and registry of `skillhost skill push` and `pull`, and the credentials.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "oci/registry.hpp"

#include <chrono>
#include <string>

namespace skillhost {

struct RegistrySettings {
  oci::Reference reference; // a push without a given tag uses the digest
  oci::Credentials credentials;
  std::string caFile; // absolute; empty: the system's authorities
  bool plainHttp = false, allowPrivateAddresses = false, force = false;
  std::chrono::seconds timeout{300}; // for the whole command
};

// Reads the options of registryOptions(), and the files of logins and tokens. A failure names the
// option, and never contains a secret.
Result<RegistrySettings> readRegistrySettings(const app::ParsedArguments &given,
                                              const app::Surroundings &surroundings);

} // namespace skillhost
