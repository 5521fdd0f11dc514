// SPDX-License-Identifier: Apache-2.0
// Finds the skills in the layers of an image or another artefact.
#pragma once

#include "archive/layers.hpp"
#include "archive/packed.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::oci {

struct SkillLimits {
  std::size_t skills = 1'000;       // limit in one artefact
  std::size_t files = 512;          // limit in one skill
  std::uint64_t bytes = 16'777'216; // limit of one skill
  std::size_t entries = 200'000;    // limit in all layers of one artefact
  // Limit of the unpacked bytes of all layers of one artefact.
  std::uint64_t unpacked = 536'870'912;
};

struct FoundSkill {
  std::string folder;                     // folder in the artefact; "": its root
  std::vector<archive::PackedFile> files; // sorted by path, relative to the folder
};
struct FoundSkills {
  std::vector<FoundSkill> skills;    // sorted by folder
  std::vector<std::string> findings; // skills that were left out, with the reason
};

// A skill is a folder with a SKILL.md. A file belongs to the nearest such folder at or above it;
// files in no skill are ignored. A link to a file of the same skill becomes a copy of that file. A
// skill is left out if it has any other link, an entry that is neither file nor folder, or a path
// that cannot be served, is longer than archive/packed.hpp allows, or differs from another only in
// case or Unicode form; and if it exceeds a limit. Throws std::runtime_error, as listLayers() does,
// if the layers are invalid as a whole. Any thread may call it. `checkpoint` is called repeatedly
// and may throw to stop it; it may be empty.
FoundSkills findSkills(const std::vector<archive::Layer> &layers, const SkillLimits &limits,
                       const std::function<void()> &checkpoint = {});

} // namespace skillhost::oci
