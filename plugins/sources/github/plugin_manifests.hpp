// SPDX-License-Identifier: Apache-2.0
// .claude-plugin/marketplace.json and plugin.json: which folders a repository names as those of its
// plugins.
#pragma once

#include "layout.hpp"

#include "file_index.hpp"

namespace skillhost::github {

// Folders relative to the subpath, in which skills are looked for even where a name starts with
// ".". What a manifest takes from another repository, and a manifest that is none, is a finding.
std::vector<std::string> namedFolders(const FileIndex &index, Blobs &blobs,
                                      std::vector<Finding> &findings);

} // namespace skillhost::github
