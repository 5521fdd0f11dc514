// SPDX-License-Identifier: Apache-2.0
// The inotify watches of an instance. A scan puts a watch on each folder before it looks into it,
// so nothing that comes later is missed; watches a whole scan did not meet again are given up.
#pragma once

#include "ground/descriptor.hpp"
#include "identity.hpp"
#include "settings.hpp"
#include "warnings.hpp"

#include <atomic>
#include <map>
#include <vector>

namespace skillhost::filesystem {

// What may not be any more as the scans have found it.
struct Suspects {
  bool all = true;          // anything
  std::set<Place> places{}; // else the files, not the folders, that are directly in these folders
};

class Watches {
public:
  Watches(WatchMode mode, Warnings &warnings);

  // Until then scans put no watches: the first one answers somebody who waits, and a watch on each
  // folder would double what it takes. The scan after arm() puts them, and finds what came between.
  void arm() noexcept { armed_ = true; }
  bool armed() const noexcept { return armed_; }

  // Around every scan, which one thread at a time may do. Without endScan() nothing is given up.
  void beginScan();
  void endScan();
  // After a scan of a part, which has no beginScan() and gives up nothing.
  void endPart();
  // During a scan, any thread. `descriptor` is what is to be watched, open in any way.
  // Any change counts.
  void visit(int descriptor, const Place &place);
  // Only this name counts: that it appears, goes or moves. Writing to files there costs nothing.
  // False when it cannot be watched.
  bool await(int descriptor, const Place &place, std::string_view name);
  // Met a file system that inotify tells too little about; heeded in automatic mode.
  void distrust();
  // Met something that cannot be watched at all.
  void fallBack();

  // True when changes must be looked for now and then. Any thread.
  bool polling() const noexcept { return polling_; }

  // Of what has been noticed and not been taken yet; at first, of everything. Any thread.
  Suspects takeSuspects();
  void suspectAll();
  // No folder: anything.
  void suspect(const std::vector<Place> &folders);

  // To be polled for input; -1 when there is no inotify.
  int descriptor() const noexcept { return inotify_.number(); }
  // Takes what has happened; true when something that matters has. The watching thread only.
  bool drain();
  // The same for records already read; a part of drain() so that it can be tested.
  bool absorb(std::string_view records);

private:
  struct Watch {
    int number;
    std::uint64_t scan;     // the last one that met it
    std::uint32_t interest; // IN_*
    bool whole;
    std::set<std::string, std::less<>> awaited;
  };

  Watch *meet(int descriptor, const Place &place, std::uint32_t interest);
  void suspectFiles(const Place &folder);
  void fail(int error);

  WatchMode mode_;
  Warnings &warnings_;
  Descriptor inotify_;
  std::atomic<bool> polling_ = false, armed_ = false;
  std::mutex mutex_; // guards what follows
  std::map<Place, Watch> watches_;
  std::map<int, Place> places_;
  Suspects suspects_;
  std::uint64_t scan_ = 0;
  bool exhausted_ = false, unwatched_ = false; // in this scan
};

} // namespace skillhost::filesystem
