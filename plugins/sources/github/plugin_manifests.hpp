// SPDX-License-Identifier: Apache-2.0
// .claude-plugin/marketplace.json and plugin.json: which folders a repository names as those of its
// plugins.
#pragma once

#include "file_index.hpp"
#include "layout.hpp"
#include "marketplace_plugin.hpp"

namespace skillhost::github {

struct Named {
  std::vector<std::string> folders;           // of this repository, relative to the subpath
  std::vector<MarketplacePlugin> marketplace; // names unique; of Role::own alone
};

// In `folders` skills are looked for even where a name starts with ".". A plugin that cannot be
// used, and a manifest that is none, is a finding. A marketplace repository's own marketplace.json
// does not count: `entry` has the folders that ours names in it.
Named namedBy(const FileIndex &index, const Selection &selection, Blobs &blobs,
              std::vector<Finding> &findings);

} // namespace skillhost::github
