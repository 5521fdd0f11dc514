// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "emit.hpp"
#include "ground/counted.hpp"
#include "roots.hpp"
#include "scan.hpp"

#include <malloc.h>

#include <algorithm>

namespace skillhost::filesystem {
namespace {

// From so many skills on, a scan of all folders leaves much free memory in the process.
constexpr std::size_t manySkills = 1024;

Checkpoint checkpointOf(const skh::Call &call) {
  return [&call] { call.point(); };
}

FolderProgress progressOf(const skh::Call &call) {
  return [&call](std::size_t folders) {
    call.progress(folders, 0, "looked into " + counted(folders, "folder"));
  };
}

// True if the host was given this document in one of these snapshots.
bool isIn(const std::vector<SnapshotPointer> &kept, const skh::Document &which) {
  return std::any_of(kept.begin(), kept.end(), [&](const SnapshotPointer &one) {
    return one->find(which.skill, which.path).document != nullptr;
  });
}

} // namespace

FilesystemSource::FilesystemSource(skh::Host host, const skh::Call &)
    : host_(host), settings_(host.config()), warnings_(host), watches_(settings_.watch, warnings_) {
  if (!settings_.optional) requireRoots(settings_.directories);
  if (settings_.watch == WatchMode::off) return;
  watcher_ = std::make_unique<Watcher>(
      settings_, watches_,
      Watcher::Tasks{[this] { ++noticed_; },
                     [this](const Checkpoint &checkpoint) { rescanWhenQuiet(checkpoint); }});
}

void FilesystemSource::list(const skh::Call &call, const skh::Documents &out) {
  const Checkpoint checkpoint = checkpointOf(call);
  const SnapshotPointer snapshot = handOut(checkpoint, ScanMode::always, progressOf(call));
  emitAll(*snapshot, out, checkpoint);
  out.done(snapshot->id);
}

void FilesystemSource::changes(const skh::Call &call, std::string_view since,
                               const skh::Documents &out) {
  const Checkpoint checkpoint = checkpointOf(call);
  const SnapshotPointer before = history_.find(since);
  if (!before) throw skh::Error(SKH_STALE, "that snapshot is no longer remembered");
  const SnapshotPointer now =
      handOut(checkpoint, watcher_ ? ScanMode::whenNoticed : ScanMode::always, progressOf(call));
  if (now->id != before->id) emitDifference(*before, *now, out, checkpoint);
  out.done(now->id);
}

std::string FilesystemSource::facts(const skh::Call &, std::string_view) {
  skh::FactsText facts;
  facts.about("*");
  facts.add("kind", "folder");
  facts.add("integrity", "none");
  facts.add("signature", "none");
  return facts.take();
}

void FilesystemSource::read(const skh::Call &call, const skh::Document &which,
                            const skh::Bytes &out) {
  const Checkpoint checkpoint = checkpointOf(call);
  SnapshotPointer snapshot = history_.newest();
  if (!snapshot) snapshot = refresh(checkpoint, ScanMode::always);
  const FoundDocument found = snapshot->find(which.skill, which.path);
  if (found.document == nullptr && !isIn(history_.all(), which)) {
    throw skh::Error(SKH_NOT_FOUND, "no such document: " + std::string(which.skill) + "/" +
                                        std::string(which.path));
  }
  if (found.document == nullptr && !snapshot->trouble.reason.empty())
    throw skh::Error(snapshot->trouble.status, snapshot->trouble.reason);
  if (found.document == nullptr || found.document->revision.view() != which.revision) {
    throw skh::Error(SKH_STALE, "another version is there: " + std::string(which.skill) + "/" +
                                    std::string(which.path));
  }
  try {
    emitContent(found, out, checkpoint);
  } catch (const skh::Error &error) {
    // The change was seen before it was reported, so the next changes() must look.
    if (error.status() == SKH_STALE) {
      watches_.addSuspects(found.skill->places);
      ++noticed_;
    }
    throw;
  }
}

SnapshotPointer FilesystemSource::refresh(const Checkpoint &checkpoint, ScanMode mode,
                                          const FolderProgress &seen) {
  const FairMutex::Turn turn(scans_, checkpoint);
  const std::uint64_t noticed = noticed_;
  if (mode == ScanMode::whenNoticed && noticed == seen_) return history_.newest();
  const bool polled = watches_.polling();
  const auto begun = std::chrono::steady_clock::now();
  history_.add(scanNow(checkpoint, mode, seen));
  seen_ = noticed;
  if (watcher_ && !watches_.armed()) {
    watches_.arm();
    watches_.suspectAll();
    ++noticed_; // so that the next look scans the directories
    // The host now reads the listed documents, which takes longer than the listing, and with few
    // skills it soon answers its first clients. Setting the watches at once would compete for the
    // processors, so it waits.
    constexpr int timesAsLong = 3;
    constexpr std::chrono::steady_clock::duration least = std::chrono::milliseconds(100),
                                                  maxSpan = std::chrono::seconds(5);
    watcher_->scheduleQuiet(
        std::clamp(timesAsLong * (std::chrono::steady_clock::now() - begun), least, maxSpan));
  }
  if (watcher_ && watches_.polling() != polled) watcher_->wake();
  return history_.newest();
}

// The caller holds its turn.
SnapshotPointer FilesystemSource::scanNow(const Checkpoint &checkpoint, ScanMode mode,
                                          const FolderProgress &seen) {
  const SnapshotPointer before = history_.newest();
  // Taken before the look, so that later changes count.
  const Suspects suspects = watches_.takeSuspects();
  try {
    SnapshotPointer now;
    if (mode == ScanMode::whenNoticed && before && !suspects.all && !watches_.polling())
      now = scanPart(settings_, before, suspects.places, watches_, warnings_, checkpoint);
    if (now) return now;
    now = scan(settings_, before.get(), watches_, warnings_, checkpoint, seen);
    leavesMemory_ = now->skills.size() >= manySkills;
    return now;
  } catch (...) {
    watches_.suspectAll();
    throw;
  }
}

SnapshotPointer FilesystemSource::handOut(const Checkpoint &checkpoint, ScanMode mode,
                                          const FolderProgress &seen) {
  const SnapshotPointer now = refresh(checkpoint, mode, seen);
  if (!now->trouble.reason.empty()) {
    hasFailed_ = true;
    // Another thread may have found the trouble over before it could see that the host is told.
    if (history_.newest()->trouble.reason.empty()) host_.changed();
    throw skh::Error(now->trouble.status, now->trouble.reason);
  }
  hasFailed_ = false;
  // Returns the newest snapshot, which may be newer than the one just built, because
  // rescanWhenQuiet() compares with it.
  return history_.handOut();
}

void FilesystemSource::rescanWhenQuiet(const Checkpoint &checkpoint) {
  if (!history_.newest()) return; // the host has not asked for anything yet
  try {
    refresh(checkpoint, watches_.polling() ? ScanMode::always : ScanMode::whenNoticed);
  } catch (const std::exception &error) {
    // The next request looks again and gets the error. Until then the old result is served.
    warnings_.warnOnce("looking for changes", error.what());
    return;
  }
  warnings_.clearWarning("looking for changes");
#ifdef __GLIBC__
  if (leavesMemory_.exchange(false)) ::malloc_trim(0);
#endif
  // The host hears of trouble once, and when it is over, even if the skills are as they were.
  const bool isTrouble = !history_.newest()->trouble.reason.empty();
  if (isTrouble ? !hasFailed_ : hasFailed_ || history_.hasNewer()) host_.changed();
}

} // namespace skillhost::filesystem
