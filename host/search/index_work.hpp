// SPDX-License-Identifier: Apache-2.0
// What an index is asked to hold, and what an update has to do for it.
#pragma once

#include "search/index.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

struct WantedIndex {
  Searchables all;
  std::string generation;
  std::uint64_t number = 0; // of all updates asked for, from 1 on
};

// What one update has to do.
struct IndexWork {
  WantedIndex wanted;
  std::vector<std::size_t> put;     // of its keys: what is new or changed
  std::vector<std::string> removed; // goes with the first piece
  std::size_t done = 0;             // of put: committed
  std::size_t unread = 0;           // of put: texts that could not be read
};

// A part of it: read together, then committed.
struct IndexPiece {
  using Clock = std::chrono::steady_clock;

  std::vector<SearchEntry> put;
  const Clock::time_point begun = Clock::now();
};

// The revision of what is not, or not surely, in the index as wanted: it is put again, also by a
// later run.
inline const std::string incomplete;

// Reads what is to be put next, at most so many; `done` gets it on a thread of a source's lane, or
// at once. Of a text that cannot be read the entry is incomplete.
void readPiece(const CallOptions &options, const std::shared_ptr<IndexWork> &work,
               std::size_t entries, std::function<void(const std::shared_ptr<IndexPiece> &)> done);

// Who waits for a commit.
struct Waiting {
  CancelToken cancel;
  std::function<void()> callback;
};

inline void release(const std::vector<Waiting> &waiting) {
  for (const Waiting &one : waiting)
    if (!one.cancel.cancelled()) one.callback();
}

// An entry with the revision it was put with.
using PutRevisions = std::vector<std::pair<std::string, std::string>>;

} // namespace skillhost
