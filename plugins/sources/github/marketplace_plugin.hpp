// SPDX-License-Identifier: Apache-2.0
// A plugin that a marketplace.json takes from another repository.
#pragma once

#include "settings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::github {

// The content of the manifest, all of it written by strangers.
struct MarketplacePlugin {
  std::string name; // a single part of a path; the ids of its skills begin with it
  std::string url;  // an address, or "owner/name"
  std::string ref;  // "" for the remote's HEAD
  std::string sha;  // the only commit to use, or ""
  std::string subpath;
  // Folders below subpath that are searched even if they are hidden.
  std::vector<std::string> folders;

  bool operator==(const MarketplacePlugin &) const = default;
};

// The commit of one plugin that is served.
struct MarketplaceCommit {
  MarketplacePlugin plugin;
  std::string commit;       // "" while it could not be fetched
  std::int64_t fetched = 0; // Unix seconds of the fetch; 0: unknown
};

// Returns the address to fetch from. Throws skh::Error(SKH_INVALID) if it is not allowed. Only
// https:// and a host name are allowed; allow_private_addresses also allows IP addresses, localhost
// and http:// to them and, for a source on this machine's disk, file://.
Address addressOf(const MarketplacePlugin &plugin, const Settings &settings);

// True if both repositories have the same owner on the same host, so that the source's token may be
// used.
bool isOfSameOwner(const Address &one, const Address &other);

// Describes the plugin for messages, without parts that may be a password.
std::string titleOf(const MarketplacePlugin &plugin);

} // namespace skillhost::github
