// SPDX-License-Identifier: Apache-2.0
// Keeps an object store for each repository of marketplace plugins, so that the data of one
// repository cannot harm the others or the source's own. Any thread may use it.
#pragma once

#include "git/object_store.hpp"

#include <map>
#include <mutex>
#include <set>

namespace skillhost::github {

class MarketplaceStores {
public:
  // The stores are created in `folder`, which is made when it is needed.
  explicit MarketplaceStores(std::string folder) : folder_(std::move(folder)) {}

  // Returns the store for the repository at `url`, which is empty the first time. Throws
  // skh::Error(SKH_UNAVAILABLE) if the disk refuses.
  std::shared_ptr<ObjectStore> at(const std::string &url);
  // True if the store exists and is not empty. Does not open it.
  bool has(const std::string &url) const;
  // Reports that the store is damaged, so the next at() creates a new one. Readers of the old one
  // get SKH_STALE or SKH_CORRUPT.
  void discard(const std::string &url);
  // Removes the stores of other repositories, and nothing else. Must be called before any other
  // function.
  void retain(const std::set<std::string> &urls) const;

private:
  std::string folderOf(const std::string &url) const;

  const std::string folder_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<ObjectStore>> open_; // by url
};

} // namespace skillhost::github
