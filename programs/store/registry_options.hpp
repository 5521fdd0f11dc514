// SPDX-License-Identifier: Apache-2.0
// Which artefact of which registry `skillhost skill push` and `pull` are about, and who asks.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "oci/registry.hpp"

#include <chrono>
#include <string>

namespace skillhost {

struct RegistrySettings {
  oci::Reference reference; // of push without a tag where none was given: it goes by its digest
  oci::Credentials credentials;
  std::string caFile; // absolute; empty: the system's authorities
  bool plainHttp = false, allowPrivateAddresses = false, force = false;
  std::chrono::seconds timeout{300}; // for all of it
};

// What was given of registryOptions(). Reads the files of logins and tokens; what fails names the
// option, and never a secret.
Result<RegistrySettings> readRegistrySettings(const app::ParsedArguments &given,
                                              const app::Surroundings &surroundings);

} // namespace skillhost
