// SPDX-License-Identifier: Apache-2.0
// An instance of the plugin serves artefacts of registries as a source.
#pragma once

#include "mirror.hpp"

#include "remote/mirrored_source.hpp"

namespace skillhost::oci_source {

class OciSource final : public remote::MirroredSource<Snapshot, Settings, Mirror> {
public:
  // Throws skh::Error(SKH_INVALID) if the configuration is invalid. Does not contact a registry; a
  // background thread does.
  OciSource(skh::Host host, const skh::Call &call);

  // Reads from the cache, never from the network.
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;

private:
  void listAll(const skh::Call &call, const Snapshot &snapshot, const skh::Documents &out) override;
  void listChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                   const skh::Documents &out) override;
  // States the artefact of each skill, and who has signed it.
  std::string factsAbout(const Snapshot &snapshot) const override { return factsOf(snapshot); }
};

} // namespace skillhost::oci_source
