// SPDX-License-Identifier: Apache-2.0
// From commits in the store to what is served of them. One thread.
#pragma once

#include "foreign_stores.hpp"
#include "layout.hpp"
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
  SnapshotBuilder(const Settings &settings, ObjectStore &store, ForeignStores &foreign)
      : settings_(settings), store_(store), foreign_(foreign) {}

  // Makes state.foreign what the commit's marketplace.json has, with the commits that are known. A
  // foreign plugin whose store does not have what it should loses its commit, and damaged stores
  // are discarded; what is wrong with one is a finding. Throws as readTree() does for the
  // repository itself, and what `checkpoint` throws.
  Built build(State &state, const std::function<void()> &checkpoint);
  // What was built by another process.
  void know(const Snapshot &snapshot);

private:
  struct Work;

  void addAll(State &state, Work &work) const;
  void add(const ForeignCommit &one, Work &work) const;

  const Settings &settings_;
  ObjectStore &store_;
  ForeignStores &foreign_;
  BlobSizes sizes_; // of the blobs of the newest snapshot
};

// May this plugin, the `index`th of its marketplace.json, be served by the configuration?
bool isServed(const ForeignPlugin &plugin, std::size_t index, const Settings &settings);

// The plugins with those of the `known` commits that may be served.
std::vector<ForeignCommit> carriedOver(std::vector<ForeignPlugin> plugins,
                                       const std::vector<ForeignCommit> &known,
                                       const Settings &settings);

} // namespace skillhost::github
