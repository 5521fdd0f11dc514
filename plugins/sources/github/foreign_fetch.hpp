// SPDX-License-Identifier: Apache-2.0
// The commits of foreign plugins, by git: one look at each repository, however many plugins are of
// it. One thread.
//
// Strangers have named the repositories: https alone, no address of this network, and the token
// goes to repositories of the source's own owner only.
#pragma once

#include "foreign_plugin.hpp"
#include "update.hpp"

namespace skillhost::github {

class ForeignFetch {
public:
  // All outlive it.
  ForeignFetch(const Settings &settings, const Access &who, ObjectStore &store,
               remote::Operation &operation)
      : settings_(settings), who_(who), store_(store), operation_(operation) {}

  // What is to be served of the plugin: `pin` or, when that is "", its sha or what its ref names.
  // It is in the store then. Throws skh::Error, for the second plugin of a repository what it threw
  // for the first.
  std::string commitOf(const ForeignPlugin &plugin, const std::string &pin);

private:
  struct Found {
    std::string commit, failure;
    skh_status status = SKH_OK;
  };

  std::string fetch(const ForeignPlugin &plugin, const std::string &pin);

  const Settings &settings_;
  const Access &who_;
  ObjectStore &store_;
  remote::Operation &operation_;
  std::map<std::string, Found> found_;
};

} // namespace skillhost::github
