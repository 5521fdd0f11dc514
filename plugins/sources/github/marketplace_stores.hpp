// SPDX-License-Identifier: Apache-2.0
// An object store for each repository that marketplace plugins are taken from: what one of them
// sends can harm neither the others nor the source's own. Any thread.
#pragma once

#include "git/object_store.hpp"

#include <map>
#include <mutex>
#include <set>

namespace skillhost::github {

class MarketplaceStores {
public:
  // Below `folder`, which is made when it is needed.
  explicit MarketplaceStores(std::string folder) : folder_(std::move(folder)) {}

  // The store of the repository at `url`, empty the first time. Throws skh::Error(SKH_UNAVAILABLE)
  // when the disk refuses.
  std::shared_ptr<ObjectStore> at(const std::string &url);
  // Is there one with anything in it, without opening it?
  bool has(const std::string &url) const;
  // It has turned out to be damaged: the next at() begins anew. Who reads in it is told SKH_STALE
  // or SKH_CORRUPT.
  void discard(const std::string &url);
  // Removes those of other repositories, and nothing else that lies there. Before any other call.
  void retain(const std::set<std::string> &urls) const;

private:
  std::string folderOf(const std::string &url) const;

  const std::string folder_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<ObjectStore>> open_; // by url
};

} // namespace skillhost::github
