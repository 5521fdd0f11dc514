// SPDX-License-Identifier: Apache-2.0
// Packs a skill as an artefact in ToolHive's form, which loadArtefact() can read.
#pragma once

#include "archive/packed.hpp"
#include "manifest.hpp"

#include <string>
#include <vector>

namespace skillhost::oci {

// Statements of the SKILL.md about the skill.
struct SkillWords {
  std::string name, description, version, license;
  std::vector<std::string> allowedTools;
};

struct Part {
  Descriptor descriptor;
  std::string bytes;
};

struct PackedSkill {
  std::vector<Part> blobs;     // the layer and a configuration for each platform
  std::vector<Part> manifests; // one for each platform
  Part index;                  // its digest is that of the artefact
};

// The same files and words give the same bytes: files are sorted by path, without times and owners.
// Any thread may call it. Throws std::runtime_error that names the file, if loadArtefact() would
// omit or refuse it (skills.hpp), and if there is no SKILL.md.
PackedSkill packSkill(const SkillWords &words, std::vector<archive::PackedFile> files);

} // namespace skillhost::oci
