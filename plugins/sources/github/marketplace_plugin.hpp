// SPDX-License-Identifier: Apache-2.0
// A plugin that a marketplace.json takes from another repository.
#pragma once

#include "settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::github {

// As the manifest has it: strangers have written all of it.
struct MarketplacePlugin {
  std::string name; // one part of a path: the ids of its skills begin with it
  std::string url;  // an address, or "owner/name"
  std::string ref;  // "" for the remote's HEAD
  std::string sha;  // the one commit that is meant, or ""
  std::string subpath;
  std::vector<std::string> folders; // below subpath, looked into even when they are hidden

  bool operator==(const MarketplacePlugin &) const = default;
};

// What is served of one.
struct MarketplaceCommit {
  MarketplacePlugin plugin;
  std::string commit;       // "" while it could not be had
  std::int64_t fetched = 0; // Unix seconds: when it came; 0: not known
};

// What to ask for, and of whom. Throws skh::Error(SKH_INVALID) for what may not be asked: only
// https:// and the name of a host; with allow_private_addresses addresses, localhost and http:// to
// it too and, for a source on this machine's disk, file://.
Address addressOf(const MarketplacePlugin &plugin, const Settings &settings);

// Whose token is the source's: repositories of the same owner on the same host.
bool isOfSameOwner(const Address &one, const Address &other);

// For messages: who it is, without what may be a password.
std::string shown(const MarketplacePlugin &plugin);

} // namespace skillhost::github
