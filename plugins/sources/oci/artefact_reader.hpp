// SPDX-License-Identifier: Apache-2.0
// Reads the artefact that a reference names and stores its skills on disk. Only one thread may use
// it.
#pragma once

#include "artefact.hpp"
#include "wanted.hpp"

#include "objects/object_folder.hpp"
#include "oci/loading.hpp"

namespace skillhost::oci_source {

class ArtefactReader : private oci::ArtefactParts {
public:
  // All arguments must outlive it.
  ArtefactReader(const Settings &settings, const objects::ObjectFolder &folder,
                 Registries &registries, remote::Operation &operation, const Say &say)
      : settings_(settings), folder_(folder), registries_(registries), operation_(operation),
        say_(say) {}

  // Returns the digest that the reference names now. If the registry only reports it together with
  // the manifest, the manifest is kept for read().
  std::string digestOf(const Reference &reference);
  // Returns the skills of the artefact with that digest. If the configuration names trusted keys,
  // one must have signed it. Layers in the cache are not fetched again. Throws what the registry
  // throws, std::runtime_error if the artefact cannot be served, and skh::Error(SKH_UNAVAILABLE) if
  // the disk refuses.
  ArtefactPointer read(const Reference &reference, const std::string &digest);

  std::size_t fetched() const noexcept { return fetched_; } // number of fetched layers

private:
  // Return parts of the artefact that is being read.
  oci::FetchedManifest manifest(const std::string &digest) override;
  std::string layer(const oci::Descriptor &descriptor) override;
  std::string configuration(const oci::Descriptor &descriptor, std::uint64_t maxBytes) override;
  StoredSkill store(const oci::FoundSkill &skill) const;

  const Settings &settings_;
  const objects::ObjectFolder &folder_;
  Registries &registries_;
  remote::Operation &operation_;
  const Say &say_;
  std::optional<oci::FetchedManifest> early_;
  Reference reading_;
  std::size_t fetched_ = 0;
};

} // namespace skillhost::oci_source
