// SPDX-License-Identifier: Apache-2.0
// One instance of the plugin: folders on this machine as a source of documents.
#pragma once

#include "fair_mutex.hpp"
#include "snapshot.hpp"
#include "watcher.hpp"

#include "snapshots/history.hpp"

#include <skillhost/facts.hpp>

namespace skillhost::filesystem {

class FilesystemSource final : public skh::Source, public skh::Facts {
public:
  // Throws skh::Error(SKH_INVALID) for a configuration it cannot use. Looks at no directory yet.
  FilesystemSource(skh::Host host, const skh::Call &call);

  // Looks at everything anew.
  void list(const skh::Call &call, const skh::Documents &out) override;
  // Waits for nobody: it takes the newest snapshot and opens the file.
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;
  // Looks anew only when something has been noticed since the last look, or nothing watches.
  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override;
  // That all are of folders; of which one each is, its location says.
  std::string facts(const skh::Call &call, std::string_view snapshot) override;

private:
  enum class Look { always, whenNoticed };

  SnapshotPointer refresh(const Checkpoint &checkpoint, Look look, const FoldersSeen &seen = {});
  SnapshotPointer handOut(const Checkpoint &checkpoint, Look look, const FoldersSeen &seen = {});
  SnapshotPointer look(const Checkpoint &checkpoint, Look look, const FoldersSeen &seen);
  void settle(const Checkpoint &checkpoint);

  skh::Host host_;
  Settings settings_;
  Warnings warnings_;
  Watches watches_;
  snapshots::History<Snapshot> history_;
  FairMutex scans_;
  std::atomic<std::uint64_t> noticed_ = 1; // counts what happened
  std::uint64_t seen_ = 0;                 // of those, before the last scan; in turn
  std::unique_ptr<Watcher> watcher_;       // last: its thread uses all of the above
};

} // namespace skillhost::filesystem
