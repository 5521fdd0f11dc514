// SPDX-License-Identifier: Apache-2.0
// Which blobs of a commit the layout needs while some are not in the store yet.
#pragma once

#include "blobs.hpp"

#include "git/object_store.hpp"

#include <map>
#include <set>
#include <unordered_map>

namespace skillhost::github {

// Sizes are those of the listing where the blob is not here, and its content is then "" and
// remembered as asked for.
class WantedBlobs final : public Blobs {
public:
  using Sizes = std::unordered_map<std::string, std::uint64_t>;

  // All outlive it; `lacking` are the blobs that are not in `store`.
  WantedBlobs(ObjectStore &store, const Sizes &listed, const std::set<std::string> &lacking)
      : store_(store), listed_(listed), lacking_(lacking) {}

  std::uint64_t size(const std::string &blob) override {
    if (!lacking_.contains(blob)) return store_.size(blob);
    const auto at = listed_.find(blob);
    const std::uint64_t size = at == listed_.end() ? 0 : at->second;
    judged_[blob] = size;
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

  // What content() did not have.
  const std::set<std::string> &missed() const noexcept { return missed_; }
  // What size() had from the listing alone.
  const std::map<std::string, std::uint64_t> &judged() const noexcept { return judged_; }

private:
  ObjectStore &store_;
  const Sizes &listed_;
  const std::set<std::string> &lacking_;
  std::set<std::string> missed_;
  std::map<std::string, std::uint64_t> judged_;
};

} // namespace skillhost::github
