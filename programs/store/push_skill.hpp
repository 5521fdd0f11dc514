// SPDX-License-Identifier: Apache-2.0
// What `skillhost skill push` sends to a registry.
#pragma once

#include "registry_options.hpp"
#include "saving.hpp"

#include <cstddef>
#include <string>

namespace skillhost {

struct Pushed {
  std::string name, digest;
  bool changed = false;            // the tag names something else than before
  std::size_t sent = 0, blobs = 0; // of all blobs, those that the registry had not
};

// Blobs first, the manifests then, and last what the tag names: a push that fails leaves the tag as
// it was. A tag that names another artefact is replaced with `force` alone. Throws
// std::runtime_error.
Pushed pushSkill(const RegistrySettings &settings, SkillToSave skill);

} // namespace skillhost
