// SPDX-License-Identifier: Apache-2.0
// Finds the blobs of a commit that the layout needs, while some are not in the store yet.
#pragma once

#include "blobs.hpp"

#include "git/object_store.hpp"

#include <map>
#include <set>
#include <unordered_map>

namespace skillhost::github {

// For a missing blob, size() returns the size in the listing, and content() returns "" and records
// the blob as missed.
class WantedBlobs final : public Blobs {
public:
  using Sizes = std::unordered_map<std::string, std::uint64_t>;

  // All arguments must outlive it. `lacking` are the blobs that are not in `store`.
  WantedBlobs(ObjectStore &store, const Sizes &listed, const std::set<std::string> &lacking)
      : store_(store), listed_(listed), lacking_(lacking) {}

  std::uint64_t size(const std::string &blob) override {
    if (!lacking_.contains(blob)) return store_.size(blob);
    const auto at = listed_.find(blob);
    const std::uint64_t size = at == listed_.end() ? 0 : at->second;
    absentSizes_[blob] = size;
    return size;
  }
  std::string content(const std::string &blob) override {
    std::string text;
    if (lacking_.contains(blob))
      missed_.insert(blob);
    else
      store_.read(blob, [&](std::string_view bytes) { text = bytes; });
    return text;
  }

  // Blobs whose content was requested but is missing.
  const std::set<std::string> &missed() const noexcept { return missed_; }
  // Sizes that size() took from the listing alone.
  const std::map<std::string, std::uint64_t> &absentSizes() const noexcept { return absentSizes_; }

private:
  ObjectStore &store_;
  const Sizes &listed_;
  const std::set<std::string> &lacking_;
  std::set<std::string> missed_;
  std::map<std::string, std::uint64_t> absentSizes_;
};

} // namespace skillhost::github
