// SPDX-License-Identifier: Apache-2.0
// The skills of an artefact that `skillhost skill pull` has written.
#pragma once

#include "registry_options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost {

struct PulledSkill {
  std::string name, folder; // absolute
  std::size_t files = 0;
};
struct Pulled {
  std::string digest;
  std::string signer;                // the trusted key; "": none was required
  std::vector<PulledSkill> skills;   // sorted by folder in the artefact
  std::vector<std::string> findings; // faults of the artefact, whose parts were left out
};

// Writes each skill of the artefact into a folder with its name in `into`, all or nothing, by one
// rename. An existing folder is replaced only with `force`, and only if it holds a skill.
// `trustedKeys` are files; one of the keys must have signed the artefact. Without keys, signatures
// are not checked. Throws std::runtime_error.
Pulled pullSkills(const RegistrySettings &settings, const std::string &into,
                  const std::vector<std::string> &trustedKeys);

} // namespace skillhost
