// SPDX-License-Identifier: Apache-2.0
// Reads blobs from the store and uses sizes that are already known. Only one thread may use it.
#pragma once

#include "blobs.hpp"
#include "state_file.hpp"

#include "git/object_store.hpp"

#include <unordered_map>

namespace skillhost::github {

// Known sizes avoid a look into the packs.
using BlobSizes = std::unordered_map<std::string, std::uint64_t>;

class StoredBlobs final : public Blobs {
public:
  // All arguments must outlive it. `lfs` is State::lfs.
  StoredBlobs(ObjectStore &store, const BlobSizes &known, const LfsFiles &lfs = noLfsFiles)
      : store_(store), known_(known), lfs_(lfs) {}

  std::uint64_t size(const std::string &blob) override {
    if (const auto at = used_.find(blob); at != used_.end()) return at->second;
    const auto before = known_.find(blob);
    const std::uint64_t size = before != known_.end() ? before->second : store_.size(blob);
    used_.emplace(blob, size);
    return size;
  }
  std::string content(const std::string &blob) override {
    std::string text;
    store_.read(blob, [&](std::string_view bytes) { text = bytes; });
    return text;
  }
  std::string fileOf(const std::string &pointer) override {
    const auto at = lfs_.find(pointer);
    return at == lfs_.end() ? std::string{} : at->second;
  }
  // Returns the sizes that were requested.
  BlobSizes takeSizes() { return std::move(used_); }

private:
  ObjectStore &store_;
  const BlobSizes &known_;
  const LfsFiles &lfs_;
  BlobSizes used_;
};

} // namespace skillhost::github
