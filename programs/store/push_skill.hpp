// SPDX-License-Identifier: Apache-2.0
// Sends a skill to a registry for `skillhost skill push`.
#pragma once

#include "registry_options.hpp"
#include "saving.hpp"

#include <cstddef>
#include <string>

namespace skillhost {

struct Pushed {
  std::string name, digest;
  bool changed = false;            // the tag now names another artefact
  std::size_t sent = 0, blobs = 0; // `sent`: the blobs that the registry lacked
};

// Sends the blobs, then the manifests, and last the tag's target, so that a failed push leaves the
// tag unchanged. A tag that names another artefact is replaced only with `force`. Throws
// std::runtime_error.
Pushed pushSkill(const RegistrySettings &settings, SkillToSave skill);

} // namespace skillhost
