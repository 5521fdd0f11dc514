// SPDX-License-Identifier: Apache-2.0
// Builds snapshots from commits in the store. Only one thread may use it.
#pragma once

#include "layout.hpp"
#include "marketplace_stores.hpp"
#include "state_file.hpp"
#include "stored_blobs.hpp"

#include <functional>

namespace skillhost::github {

struct Built {
  SnapshotPointer snapshot;
  std::vector<std::string> findings; // one line each, at most 200
};

class SnapshotBuilder {
public:
  // All arguments must outlive it.
  SnapshotBuilder(const Settings &settings, ObjectStore &store, MarketplaceStores &marketplace)
      : settings_(settings), store_(store), marketplace_(marketplace) {}

  // Sets state.marketplace to the plugins of the commit's marketplace.json, with the commits that
  // are known. A marketplace plugin loses its commit if its store does not have it, damaged stores
  // are discarded, and errors of single plugins become findings. Throws as readTree() does for the
  // repository itself, and what `checkpoint` throws.
  Built build(State &state, const std::function<void()> &checkpoint);
  // Takes over the sizes of a snapshot that another process built.
  void remember(const Snapshot &snapshot);

private:
  struct Work;

  void addAll(State &state, Work &work) const;
  void add(const MarketplaceCommit &one, Work &work) const;

  const Settings &settings_;
  ObjectStore &store_;
  MarketplaceStores &marketplace_;
  BlobSizes sizes_; // sizes of the blobs in the newest snapshot
};

// True if the configuration allows this plugin, the `index`th of its marketplace.json.
bool isServed(const MarketplacePlugin &plugin, std::size_t index, const Settings &settings);

// Returns the plugins with those of the `known` commits that may be served.
std::vector<MarketplaceCommit> withKnownCommits(std::vector<MarketplacePlugin> plugins,
                                                const std::vector<MarketplaceCommit> &known,
                                                const Settings &settings);

} // namespace skillhost::github
