// SPDX-License-Identifier: Apache-2.0
// The inotify watches of an instance. A scan sets a watch on each folder before reading it, so no
// later change is missed. Watches of folders that a complete scan did not meet are removed.
#pragma once

#include "ground/descriptor.hpp"
#include "identity.hpp"
#include "settings.hpp"
#include "warnings.hpp"

#include <atomic>
#include <map>
#include <vector>

namespace skillhost::filesystem {

// Places where the result of the last scan may be outdated.
struct Suspects {
  bool all = true;          // anything may have changed
  std::set<Place> places{}; // else only files directly in these folders
};

class Watches {
public:
  Watches(WatchMode mode, Warnings &warnings);

  // Before this call scans set no watches: the host waits for the first scan, and a watch on each
  // folder would double its time. The scan after arm() sets them and finds the changes in between.
  void arm() noexcept { armed_ = true; }
  bool armed() const noexcept { return armed_; }

  // Must surround every complete scan, by one thread at a time. Without endScan() no watch is
  // removed.
  void beginScan();
  void endScan();
  // Must be called after a scan of a part, which has no beginScan() and removes no watch.
  void endPart();
  // Called during a scan by any thread. `descriptor` is an open descriptor of the object to watch.
  // Watches for any change.
  void visit(int descriptor, const Place &place);
  // Watches only for this name to appear, disappear or move; writes to files there cost nothing.
  // Returns false if that cannot be watched.
  bool await(int descriptor, const Place &place, std::string_view name);
  // Reports a file system that inotify does not cover. Only has an effect in automatic mode.
  void fallBackForFileSystem();
  // Reports an object that cannot be watched at all.
  void fallBack();

  // True if changes must be looked for at intervals. Any thread may call it.
  bool polling() const noexcept { return polling_; }

  // Returns the places noticed since the last call; all places at first. Any thread may call it.
  Suspects takeSuspects();
  void suspectAll();
  // An empty list stands for anything.
  void addSuspects(const std::vector<Place> &folders);

  // Descriptor to poll for input; -1 if there is no inotify.
  int descriptor() const noexcept { return inotify_.number(); }
  // Reads the events; returns true if one is relevant. Only for the watching thread.
  bool drain();
  // Does the same with records that were already read; separate from drain() for tests.
  bool handleRecords(std::string_view records);

private:
  struct Watch {
    int number;
    std::uint64_t scan;     // last scan that met it
    std::uint32_t interest; // IN_*
    bool whole;
    std::set<std::string, std::less<>> awaited;
  };

  Watch *addWatch(int descriptor, const Place &place, std::uint32_t interest);
  void suspectFiles(const Place &folder);
  void fail(int error);

  WatchMode mode_;
  Warnings &warnings_;
  Descriptor inotify_;
  std::atomic<bool> polling_ = false, armed_ = false;
  std::mutex mutex_; // guards the members below
  std::map<Place, Watch> watches_;
  std::map<int, Place> places_;
  Suspects suspects_;
  std::uint64_t scan_ = 0;
  bool exhausted_ = false, unwatched_ = false; // in this scan
};

} // namespace skillhost::filesystem
