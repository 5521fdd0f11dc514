// SPDX-License-Identifier: Apache-2.0
// Reads .claude-plugin/marketplace.json and plugin.json to find the folders of a repository's
// plugins.
#pragma once

#include "file_index.hpp"
#include "layout.hpp"
#include "marketplace_plugin.hpp"

namespace skillhost::github {

struct Named {
  std::vector<std::string> folders;           // folders of this repository, relative to the subpath
  std::vector<MarketplacePlugin> marketplace; // with unique names; only of Role::own
};

// Skills in `folders` are found even if a name starts with ".". A plugin that cannot be used and an
// invalid manifest are findings. The marketplace.json of a marketplace plugin's repository does not
// count; `entry` has the folders that our marketplace.json names in it.
Named namedBy(const FileIndex &index, const Selection &selection, Blobs &blobs,
              std::vector<Finding> &findings);

} // namespace skillhost::github
