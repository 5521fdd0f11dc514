// SPDX-License-Identifier: Apache-2.0
// A skill as an artefact, in the form of ToolHive's: what loadArtefact() reads again.
#pragma once

#include "archive/packed.hpp"
#include "manifest.hpp"

#include <string>
#include <vector>

namespace skillhost::oci {

// What its SKILL.md says of it.
struct SkillWords {
  std::string name, description, version, license;
  std::vector<std::string> allowedTools;
};

struct Part {
  Descriptor descriptor;
  std::string bytes;
};

struct PackedSkill {
  std::vector<Part> blobs;     // the layer, and a configuration for each platform
  std::vector<Part> manifests; // one for each platform
  Part index;                  // whose digest is that of the artefact
};

// The same files and words make the same bytes: no times, no owners, files by path. Any thread.
// Throws std::runtime_error, which names the file, for what loadArtefact() would leave out or
// refuse (skills.hpp), and for files without a SKILL.md.
PackedSkill packSkill(const SkillWords &words, std::vector<archive::PackedFile> files);

} // namespace skillhost::oci
