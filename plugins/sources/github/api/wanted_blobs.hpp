// SPDX-License-Identifier: Apache-2.0
// Finds out which blobs of a commit have to be fetched, without fetching any. The layout of skills
// runs with this class in place of the store: it answers for blobs that are not in the store as if
// they were empty, and records which of them the layout needed. See ApiUpdate::fetchBlobs().
#pragma once

#include "blobs.hpp"

#include "git/object_store.hpp"

#include <map>
#include <set>
#include <unordered_map>

namespace skillhost::github {

// A missing blob is one that is not in the store. For it, size() returns the size in the listing of
// the tree (0 if the listing has none), and content() returns "" and records the blob.
class WantedBlobs final : public Blobs {
public:
  using Sizes = std::unordered_map<std::string, std::uint64_t>; // by blob

  // The arguments must outlive this object. `missing` are the blobs that are not in `store`.
  WantedBlobs(ObjectStore &store, const Sizes &listed, const std::set<std::string> &missing)
      : store_(store), listed_(listed), missing_(missing) {}

  std::uint64_t size(const std::string &blob) override {
    if (!missing_.contains(blob)) return store_.size(blob);
    const auto at = listed_.find(blob);
    const std::uint64_t size = at == listed_.end() ? 0 : at->second;
    missingSizes_[blob] = size;
    return size;
  }
  std::string content(const std::string &blob) override {
    std::string text;
    if (missing_.contains(blob))
      neededContents_.insert(blob);
    else
      store_.read(blob, [&](std::string_view bytes) { text = bytes; });
    return text;
  }

  // Missing blobs whose content was requested.
  const std::set<std::string> &neededContents() const noexcept { return neededContents_; }
  // The missing blobs whose size was requested, with the size that size() returned.
  const std::map<std::string, std::uint64_t> &missingSizes() const noexcept {
    return missingSizes_;
  }

private:
  ObjectStore &store_;
  const Sizes &listed_;
  const std::set<std::string> &missing_;
  std::set<std::string> neededContents_;
  std::map<std::string, std::uint64_t> missingSizes_;
};

} // namespace skillhost::github
