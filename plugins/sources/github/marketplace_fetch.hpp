// SPDX-License-Identifier: Apache-2.0
// Fetches the commits of marketplace plugins with git. Each ref of a repository is checked only
// once, however many plugins use it. Only one thread may use it.
//
// Strangers choose these repositories. So only https is used, private addresses are refused, and
// the token is only sent to repositories of the source's own owner.
#pragma once

#include "marketplace_plugin.hpp"
#include "marketplace_stores.hpp"
#include "update.hpp"

#include <exception>

namespace skillhost::github {

class MarketplaceFetch {
public:
  // All arguments must outlive it.
  MarketplaceFetch(const Settings &settings, const Access &who, MarketplaceStores &stores,
                   remote::Operation &operation)
      : settings_(settings), who_(who), stores_(stores), operation_(operation) {}

  // Returns the commit to serve for the plugin: `pin`, or else its sha, or else the commit that its
  // ref names. That commit is then in the repository's store. Throws skh::Error; a second plugin of
  // a repository gets the same error as the first.
  std::string commitOf(const MarketplacePlugin &plugin, const std::string &pin);

private:
  struct Found {
    std::string commit;
    std::exception_ptr failure;
  };

  std::string fetch(const MarketplacePlugin &plugin, const std::string &pin);

  const Settings &settings_;
  const Access &who_;
  MarketplaceStores &stores_;
  remote::Operation &operation_;
  std::map<std::string, Found> found_;
};

} // namespace skillhost::github
