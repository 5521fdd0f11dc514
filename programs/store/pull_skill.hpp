// SPDX-License-Identifier: Apache-2.0
// What `skillhost skill pull` writes of an artefact.
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
  std::string signer;                // the trusted key; "": nobody was asked for
  std::vector<PulledSkill> skills;   // by folder of the artefact
  std::vector<std::string> findings; // what is not right about the artefact, and was left out
};

// Each skill of the artefact goes to a folder of its name in `into`: all of it or nothing, by one
// rename. A folder that is there already is replaced with `force` alone, and if a skill is in it.
// `trustedKeys` are files, one of which must have signed the artefact; none: signatures are not
// looked at. Throws std::runtime_error.
Pulled pullSkills(const RegistrySettings &settings, const std::string &into,
                  const std::vector<std::string> &trustedKeys);

} // namespace skillhost
