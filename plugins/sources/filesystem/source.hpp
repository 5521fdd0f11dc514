// SPDX-License-Identifier: Apache-2.0
// An instance of the plugin serves folders on this machine as a source of documents.
#pragma once

#include "fair_mutex.hpp"
#include "snapshot.hpp"
#include "watcher.hpp"

#include "snapshots/history.hpp"

#include <skillhost/facts.hpp>

namespace skillhost::filesystem {

class FilesystemSource final : public skh::Source, public skh::Facts {
public:
  // Throws skh::Error(SKH_INVALID) if the configuration is invalid. Does not read any directory
  // yet.
  FilesystemSource(skh::Host host, const skh::Call &call);

  // Scans everything again.
  void list(const skh::Call &call, const skh::Documents &out) override;
  // Waits for nobody: it uses the newest snapshot and opens the file.
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;
  // Scans only if a change was noticed since the last scan, or if there are no watches.
  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override;
  // States that all skills come from folders. The location of each skill says which folder.
  std::string facts(const skh::Call &call, std::string_view snapshot) override;

private:
  enum class ScanMode { always, whenNoticed };

  SnapshotPointer refresh(const Checkpoint &checkpoint, ScanMode mode,
                          const FolderProgress &seen = {});
  SnapshotPointer handOut(const Checkpoint &checkpoint, ScanMode mode,
                          const FolderProgress &seen = {});
  SnapshotPointer scanNow(const Checkpoint &checkpoint, ScanMode mode, const FolderProgress &seen);
  void rescanWhenQuiet(const Checkpoint &checkpoint);

  skh::Host host_;
  Settings settings_;
  Warnings warnings_;
  Watches watches_;
  snapshots::History<Snapshot> history_;
  FairMutex scans_;
  std::atomic<std::uint64_t> noticed_ = 1; // counts noticed changes
  // Value of noticed_ before the last scan; only for the holder of the turn.
  std::uint64_t seen_ = 0;
  std::atomic<bool> hasFailed_ = false; // the host was last told of trouble instead of a snapshot
  std::atomic<bool> leavesMemory_ = false; // the last scan of all folders was a large one
  std::unique_ptr<Watcher> watcher_;       // last, because its thread uses all members above
};

} // namespace skillhost::filesystem
