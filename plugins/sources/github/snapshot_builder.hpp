// SPDX-License-Identifier: Apache-2.0
// From commits in the store to what is served of them. One thread.
#pragma once

#include "layout.hpp"
#include "marketplace_stores.hpp"
#include "state_file.hpp"
#include "stored_blobs.hpp"

#include <functional>

namespace skillhost::github {

struct Built {
  SnapshotPointer snapshot;
  std::vector<std::string> findings; // a line each, at most 200
};

class SnapshotBuilder {
public:
  // All outlive it.
  SnapshotBuilder(const Settings &settings, ObjectStore &store, MarketplaceStores &marketplace)
      : settings_(settings), store_(store), marketplace_(marketplace) {}

  // Makes state.marketplace what the commit's marketplace.json has, with the commits that are
  // known. A marketplace plugin whose store does not have what it should loses its commit, and
  // damaged stores are discarded; what is wrong with one is a finding. Throws as readTree() does
  // for the repository itself, and what `checkpoint` throws.
  Built build(State &state, const std::function<void()> &checkpoint);
  // What was built by another process.
  void know(const Snapshot &snapshot);

private:
  struct Work;

  void addAll(State &state, Work &work) const;
  void add(const MarketplaceCommit &one, Work &work) const;

  const Settings &settings_;
  ObjectStore &store_;
  MarketplaceStores &marketplace_;
  BlobSizes sizes_; // of the blobs of the newest snapshot
};

// May this plugin, the `index`th of its marketplace.json, be served by the configuration?
bool isServed(const MarketplacePlugin &plugin, std::size_t index, const Settings &settings);

// The plugins with those of the `known` commits that may be served.
std::vector<MarketplaceCommit> carriedOver(std::vector<MarketplacePlugin> plugins,
                                           const std::vector<MarketplaceCommit> &known,
                                           const Settings &settings);

} // namespace skillhost::github
