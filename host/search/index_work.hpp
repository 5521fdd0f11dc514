// SPDX-License-Identifier: Apache-2.0
// The entries that an index has to hold, and the work of an update that gets it there.
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
  SearchableEntries all;
  std::string generation;
  std::uint64_t number = 0; // among all updates asked for, from 1 on
};

// The work of one update.
struct IndexWork {
  WantedIndex wanted;
  std::vector<std::size_t> put;     // indexes of the keys that are new or changed
  std::vector<std::string> removed; // ids to remove; sent with the first piece
  std::size_t done = 0;             // how many of `put` are committed
  std::size_t unread = 0;           // how many texts of `put` could not be read
};

// The entries that an index holds, each with its revision.
using HeldRevisions = std::unordered_map<std::string, std::string, TextHash, std::equal_to<>>;

// Finds out which entries the update has to put and to remove.
inline void compare(const HeldRevisions &held, IndexWork &work) {
  const std::vector<SearchableEntries::Key> &keys = work.wanted.all.keys;
  std::size_t kept = 0; // held entries that stay
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto known = held.find(keys[i].id);
    if (known != held.end()) ++kept;
    if (known == held.end() || known->second != keys[i].revision) work.put.push_back(i);
  }
  if (kept == held.size()) return; // the usual case: nothing to remove
  std::unordered_set<std::string_view> ids;
  ids.reserve(keys.size());
  for (const SearchableEntries::Key &key : keys) ids.insert(key.id);
  for (const auto &[id, revision] : held)
    if (!ids.contains(id)) work.removed.push_back(id);
}

// A part of an update, which is read together and then committed.
struct IndexPiece {
  using Clock = std::chrono::steady_clock;

  std::vector<SearchEntry> put;
  const Clock::time_point begun = Clock::now();
};

// The revision of an entry that the index does not, or not surely, hold as wanted. The entry is put
// again, also by a later run.
inline const std::string incomplete;

// Reads the entries to put next, at most `entries`. `done` gets them on a thread of a source's
// executor, or at once. An entry whose text cannot be read gets the revision `incomplete`.
void readPiece(const CallOptions &options, const std::shared_ptr<IndexWork> &work,
               std::size_t entries, std::function<void(const std::shared_ptr<IndexPiece> &)> done);

// A caller that waits for a commit.
struct CommitWaiter {
  CancelToken cancel;
  std::function<void()> callback;
};

inline void callWaiting(const std::vector<CommitWaiter> &waiting) {
  for (const CommitWaiter &one : waiting)
    if (!one.cancel.cancelled()) one.callback();
}

// Entries, each with the revision that it was put with.
using PutRevisions = std::vector<std::pair<std::string, std::string>>;

} // namespace skillhost
