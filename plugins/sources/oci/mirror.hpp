// SPDX-License-Identifier: Apache-2.0
// Holds the content of the registries in memory and in the cache directory. Only the
// follower's thread (remote/follower.hpp) may call it, except for read() and isServing().
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
  // Makes one small request for each tag, and none for a reference by digest. Then fetches new
  // manifests and missing layers. If an artefact, the tags or the catalogue cannot be read, the
  // artefacts that they stand for stay as they were. The other artefacts are ready to be published
  // before this throws for the failed ones. It also throws if no artefact can be served because of
  // its content.
  void refresh(remote::Operation &operation, const std::function<void()> &publishNow) override;
  // Removes files from the cache that are no longer used.
  void tidy(const remote::Checkpoint &checkpoint) override;
  std::string serving() const override;
  std::int64_t checked() const override { return state_.checked; }

  // Returns the bytes of the document in the revision that `document` names. Throws
  // skh::Error(SKH_UNAVAILABLE) with `name`, the document's name in messages, if they are missing
  // or damaged in the cache; the next refresh then restores them. Any thread may call it.
  std::string read(const StoredDocument &document, const std::string &name);

private:
  struct RefreshState; // state of one refresh

  std::vector<Reference> collectReferences(RefreshState &state, remote::Operation &operation,
                                           const std::function<void(const std::string &)> &tell);
  bool pauseRegistry(const Reference &reference, const remote::RemoteError &error);
  ArtefactPointer refreshArtefact(ArtefactReader &reader, const Reference &reference);
  ArtefactPointer findArtefact(const Reference &reference) const;
  bool isComplete(const Artefact &artefact) const;
  ArtefactPointer servedArtefact(const Reference &reference) const;
  void finishRefresh(RefreshState &state, std::size_t fetched);

  const Settings &settings_;
  const std::string userAgent_;
  objects::ObjectFolder folder_;
  Registries registries_;
  State state_;
  bool needsTidy_ = false; // a refresh has ended since the last tidy()
  // The next refresh begins after this artefact, at which the last one ran out of time or bytes, or
  // a registry asked for a pause. Empty: it begins with the first artefact.
  std::string resumeAfter_;
  remote::FindingsLog findings_;
};

} // namespace skillhost::oci_source
