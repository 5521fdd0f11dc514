// SPDX-License-Identifier: Apache-2.0
// Loads an artefact by its digest and finds the skills in its layers, for the source and for
// commands.
#pragma once

#include "registry.hpp"
#include "skills.hpp"

#include <functional>
#include <string>
#include <vector>

namespace skillhost::oci {

struct ArtefactLimits {
  std::uint64_t bytes = 134'217'728; // limit of the packed layers of one artefact
  SkillLimits skills;
};

// Supplies the parts of an artefact from a registry or from a cache. Each part must match the
// digest for which it was requested; otherwise the function throws.
class ArtefactParts {
public:
  ArtefactParts() = default;
  ArtefactParts(const ArtefactParts &) = delete;
  ArtefactParts &operator=(const ArtefactParts &) = delete;
  virtual ~ArtefactParts() = default;

  virtual FetchedManifest manifest(const std::string &digest) = 0;
  virtual std::string layer(const Descriptor &descriptor) = 0;
  virtual std::string configuration(const Descriptor &descriptor, std::uint64_t maxBytes) = 0;
};

struct LoadedArtefact {
  std::vector<std::string> layers; // digests of the layers that were read
  FoundSkills found;               // includes findings about the labels
};

// Reads a manifest and the skills in its layers. For an index, it reads the manifest for
// linux/amd64, or else any manifest, if all have the same layers. The labels of ToolHive's
// artefacts are compared with the layers. Throws what the parts throw, ContentError if there are no
// skills or a limit is exceeded, and what findSkills() throws. `checkpoint` is called repeatedly
// and may throw to stop it.
LoadedArtefact loadArtefact(ArtefactParts &parts, const std::string &digest,
                            const ArtefactLimits &limits, const std::function<void()> &checkpoint);

} // namespace skillhost::oci
