// SPDX-License-Identifier: Apache-2.0
// The skills in the layers of an image or of another artefact.
#pragma once

#include "archive/layers.hpp"
#include "archive/packed.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::oci {

struct SkillLimits {
  std::size_t skills = 1'000;       // of one artefact
  std::size_t files = 512;          // of one skill
  std::uint64_t bytes = 16'777'216; // of one skill
  std::size_t entries = 200'000;    // of all layers of one artefact
  // Bytes of all layers of one artefact, once they are unpacked.
  std::uint64_t unpacked = 536'870'912;
};

struct FoundSkill {
  std::string folder;                     // of the artefact; "": its root
  std::vector<archive::PackedFile> files; // by path, relative to the folder
};
struct FoundSkills {
  std::vector<FoundSkill> skills;    // by folder
  std::vector<std::string> findings; // which was left out, and why
};

// A skill is a folder with a SKILL.md; a file belongs to the nearest such folder at or above it,
// and what is in none is not looked at. A link to a file of the same skill becomes a copy of it.
// Left out is a skill with any other link, with what is neither file nor folder, with paths that
// cannot be served, are longer than archive/packed.hpp has it, or differ in case or Unicode form
// alone, and one beyond the limits. Throws std::runtime_error, as listLayers() does, for layers
// that are wrong as a whole. Any thread.
// `checkpoint` is called again and again, and may throw to end it; may be empty.
FoundSkills findSkills(const std::vector<archive::Layer> &layers, const SkillLimits &limits,
                       const std::function<void()> &checkpoint = {});

} // namespace skillhost::oci
