// SPDX-License-Identifier: Apache-2.0
// The packs that clients receive: the objects of a snapshot, without those that the client has.
#pragma once

#include "base/cache.hpp"
#include "ground/fragments.hpp"
#include "ground/result.hpp"
#include "pack_writer.hpp"
#include "snapshots.hpp"
#include "steps.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skillhost::git {

// Counts the bytes of all packs in memory, while they are made and sent.
class PackMemory {
public:
  explicit PackMemory(std::shared_ptr<std::atomic<std::size_t>> all) : all_(std::move(all)) {}
  ~PackMemory() { *all_ -= mine_; }
  PackMemory(const PackMemory &) = delete;
  PackMemory &operator=(const PackMemory &) = delete;

  // Returns false if all packs together would then have more than `most` bytes.
  bool grow(std::size_t bytes, std::size_t most) noexcept;

private:
  const std::shared_ptr<std::atomic<std::size_t>> all_;
  std::size_t mine_ = 0;
};

struct Pack {
  PackPieces pieces;
  std::size_t bytes = 0;
  std::unique_ptr<PackMemory> memory;
};
using PackPointer = std::shared_ptr<const Pack>;

// Appends the pack to the head, with `sideBand` as packets. The result keeps the whole pack, which
// so counts as in memory until it is sent.
Fragments framed(std::string head, const PackPointer &pack, bool sideBand);

struct WantedPack {
  SnapshotPointer snapshot;
  std::vector<SnapshotPointer> haves; // which the client has
  bool takesDeltas = false;           // to trees that the client has
  std::function<bool()> isGone;       // the client waits no longer
};

// Any thread.
class Packs : public std::enable_shared_from_this<Packs> {
public:
  using Answer = std::function<void(const Result<PackPointer> &)>;

  // The library and the cache must outlive this object. All packs that are being made, sent or kept
  // have at most `mostBytes` bytes together.
  Packs(Library &library, Cache &cache, std::shared_ptr<Turns> turns,
        std::shared_ptr<RestlessSkills> restless, std::size_t mostBytes)
      : library_(library), cache_(cache), turns_(std::move(turns)), restless_(std::move(restless)),
        mostBytes_(mostBytes) {}

  // A pack for a client that has nothing is made once for all who wait for it, and kept in the
  // cache if it is small there. Fails with RateLimited if too many clients wait or too much is
  // being sent, with Stale if a skill has changed since the snapshot was made, and with Cancelled
  // if all clients that wait for it are gone.
  void make(WantedPack wanted, Answer answer);

private:
  class Making;
  struct Whole { // a pack for clients that have nothing
    std::weak_ptr<const Pack> made;
    std::shared_ptr<Making> making;
  };

  PackPointer wholeOf(const ObjectId &commit);
  void finishWhole(const ObjectId &commit, const PackPointer &made);

  Library &library_;
  Cache &cache_;
  const std::shared_ptr<Turns> turns_;
  const std::shared_ptr<RestlessSkills> restless_;
  const std::size_t mostBytes_;
  const std::shared_ptr<std::atomic<std::size_t>> inMemory_ =
      std::make_shared<std::atomic<std::size_t>>(0);
  std::mutex mutex_;                 // guards the member below, and who waits for a pack
  std::map<ObjectId, Whole> wholes_; // by commit
};

} // namespace skillhost::git
