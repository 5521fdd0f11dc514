// SPDX-License-Identifier: Apache-2.0
// From what a reference names to its skills, on disk. One thread.
#pragma once

#include "artefact.hpp"
#include "wanted.hpp"

#include "objects/object_folder.hpp"
#include "oci/loading.hpp"

namespace skillhost::oci_source {

class ArtefactReader : private oci::ArtefactParts {
public:
  // All outlive it.
  ArtefactReader(const Settings &settings, const objects::ObjectFolder &folder,
                 Registries &registries, remote::Operation &operation, const Say &say)
      : settings_(settings), folder_(folder), registries_(registries), operation_(operation),
        say_(say) {}

  // What the reference names now, as its digest. Where the registry does not say without sending
  // the manifest, that is kept for read().
  std::string digestOf(const Reference &reference);
  // The skills of the artefact of that digest, once a trusted key has signed it where the
  // configuration names some: layers that are at hand already are not fetched.
  // Throws what the registry does, std::runtime_error when what is there cannot be served, and
  // skh::Error(SKH_UNAVAILABLE) when the disk refuses.
  ArtefactPointer read(const Reference &reference, const std::string &digest);

  std::size_t fetched() const noexcept { return fetched_; } // layers

private:
  // Parts of the artefact that is being read.
  oci::FetchedManifest manifest(const std::string &digest) override;
  std::string layer(const oci::Descriptor &descriptor) override;
  std::string configuration(const oci::Descriptor &descriptor, std::uint64_t most) override;
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
