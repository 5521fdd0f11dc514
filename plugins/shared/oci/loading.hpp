// SPDX-License-Identifier: Apache-2.0
// From the digest of an artefact to the skills in its layers, for the source and for commands.
#pragma once

#include "registry.hpp"
#include "skills.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::oci {

struct ArtefactLimits {
  std::uint64_t bytes = 134'217'728; // of the layers of one artefact, packed
  SkillLimits skills;
};

// Where its parts come from: a registry, or what is at hand of it already. Each has the digest that
// it is asked for by, or is refused by what is thrown.
class ArtefactParts {
public:
  ArtefactParts() = default;
  ArtefactParts(const ArtefactParts &) = delete;
  ArtefactParts &operator=(const ArtefactParts &) = delete;
  virtual ~ArtefactParts() = default;

  virtual FetchedManifest manifest(const std::string &digest) = 0;
  virtual std::string layer(const Descriptor &descriptor) = 0;
  virtual std::string configuration(const Descriptor &descriptor, std::uint64_t most) = 0;
};

struct LoadedArtefact {
  std::vector<std::string> layers; // digests of those that were read
  FoundSkills found;               // with findings about its labels
};

// Reads a manifest, or the one of an index that is for linux/amd64 (else any, if all have the same
// layers), and the skills in its layers. Of ToolHive's artefacts the labels are held against them.
// Throws what the parts do, ContentError for what holds no skills or is beyond the limits, and what
// findSkills() does. `checkpoint` is called again and again, and may throw to end it.
LoadedArtefact loadArtefact(ArtefactParts &parts, const std::string &digest,
                            const ArtefactLimits &limits, const std::function<void()> &checkpoint);

} // namespace skillhost::oci
