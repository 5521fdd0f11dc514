// SPDX-License-Identifier: Apache-2.0
// The commits of marketplace plugins, by git: one look at each ref of a repository, however many
// plugins are of it. One thread.
//
// Strangers have named the repositories: https alone, no address of this network, and the token
// goes to repositories of the source's own owner only.
#pragma once

#include "marketplace_plugin.hpp"
#include "marketplace_stores.hpp"
#include "update.hpp"

#include <exception>

namespace skillhost::github {

class MarketplaceFetch {
public:
  // All outlive it.
  MarketplaceFetch(const Settings &settings, const Access &who, MarketplaceStores &stores,
                   remote::Operation &operation)
      : settings_(settings), who_(who), stores_(stores), operation_(operation) {}

  // What is to be served of the plugin: `pin` or, when that is "", its sha or what its ref names.
  // It is in the repository's store then. Throws skh::Error, for the second plugin of a repository
  // what it threw for the first.
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
