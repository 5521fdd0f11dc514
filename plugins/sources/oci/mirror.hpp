// SPDX-License-Identifier: Apache-2.0
// What the registries offer, in memory and in the cache directory. All but read() and isServing()
// is for the one thread that follows it.
#pragma once

#include "artefact_reader.hpp"
#include "state_file.hpp"

#include "remote/findings_log.hpp"
#include "remote/snapshot_mirror.hpp"

namespace skillhost::oci_source {

class Mirror final : public remote::SnapshotMirror<Snapshot> {
public:
  Mirror(skh::Host host, const Settings &settings, History &history);

  void load() override;
  // One small request for each tag when nothing is new, and none for a digest; else the manifests
  // that are, and the layers that are not at hand. An artefact that cannot be had now stays as it
  // was, and so do those of tags or of a catalogue that cannot be read; the others are made ready,
  // and then this throws. It throws too when not one artefact can be served for what is in them.
  void look(remote::Operation &operation, const std::function<void()> &publishNow) override;
  // Removes from the cache what nothing names any more.
  void tidy(const remote::Checkpoint &checkpoint) override;
  std::string serving() const override;
  std::int64_t checked() const override { return state_.checked; }

  // The bytes with this revision. Throws skh::Error(SKH_UNAVAILABLE) when they are no longer in the
  // cache or damaged there; then the next look makes them again. Any thread.
  std::string read(const StoredDocument &document, const std::string &name);

private:
  struct Round; // of one look

  std::vector<Reference> wantedIn(Round &round, remote::Operation &operation,
                                  const std::function<void(const std::string &)> &tell);
  bool leaveAlone(const Reference &where, const remote::RemoteError &error);
  ArtefactPointer update(ArtefactReader &reader, const Reference &reference);
  ArtefactPointer known(const Reference &reference) const;
  bool isWhole(const Artefact &artefact) const;
  ArtefactPointer old(const Reference &reference) const;
  void finish(Round &round, std::size_t fetched);

  const Settings &settings_;
  const std::string agent_;
  objects::ObjectFolder folder_;
  Registries registries_;
  State state_;
  bool hasRead_ = false; // since it was last tidied
  // The artefact at which a look ran out of time or bytes, or a registry had enough; "": none.
  std::string endedAt_;
  remote::FindingsLog findings_;
};

} // namespace skillhost::oci_source
