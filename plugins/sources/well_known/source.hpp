// SPDX-License-Identifier: Apache-2.0
// An instance of the plugin serves the index of one server as a source.
#pragma once

#include "mirror.hpp"

#include "remote/mirrored_source.hpp"

namespace skillhost::well_known {

class WellKnownSource final : public remote::MirroredSource<Snapshot, Settings, Mirror> {
public:
  // Throws skh::Error(SKH_INVALID) if the configuration is invalid. Does not contact the server; a
  // background thread does.
  WellKnownSource(skh::Host host, const skh::Call &call);

  // Reads from the cache, never from the network.
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;

private:
  void listAll(const skh::Call &call, const Snapshot &snapshot, const skh::Documents &out) override;
  void listChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                   const skh::Documents &out) override;
  // States the index and archive of each skill.
  std::string factsAbout(const Snapshot &snapshot) const override { return factsOf(snapshot); }
};

} // namespace skillhost::well_known
