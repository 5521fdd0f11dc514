// SPDX-License-Identifier: Apache-2.0
// What an index is asked to hold, and what an update has to do for it.
#pragma once

#include "ground/text_hash.hpp"
#include "search/index.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
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

// The entries that an index holds, each with its revision.
using HeldRevisions = std::unordered_map<std::string, std::string, TextHash, std::equal_to<>>;

// Finds out what is to be put and removed.
inline void compare(const HeldRevisions &held, IndexWork &work) {
  const std::vector<Searchables::Key> &keys = work.wanted.all.keys;
  std::size_t kept = 0; // of what is held
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto known = held.find(keys[i].id);
    if (known != held.end()) ++kept;
    if (known == held.end() || known->second != keys[i].revision) work.put.push_back(i);
  }
  if (kept == held.size()) return; // nearly always
  std::unordered_set<std::string_view> ids;
  ids.reserve(keys.size());
  for (const Searchables::Key &key : keys) ids.insert(key.id);
  for (const auto &[id, revision] : held)
    if (!ids.contains(id)) work.removed.push_back(id);
}

// A part of it: read together, then committed.
struct IndexPiece {
  using Clock = std::chrono::steady_clock;

  std::vector<SearchEntry> put;
  const Clock::time_point begun = Clock::now();
};

// The revision of what is not, or not surely, in the index as wanted: it is put again, also by a
// later run.
inline const std::string incomplete;

// Reads what is to be put next, at most so many; `done` gets it on a thread of a source's executor,
// or at once. Of a text that cannot be read the entry is incomplete.
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
