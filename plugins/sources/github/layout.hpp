// SPDX-License-Identifier: Apache-2.0
// From the files of a commit to its skills, and what is wrong with those left out.
#pragma once

#include "blobs.hpp"
#include "marketplace_plugin.hpp"
#include "settings.hpp"
#include "snapshot.hpp"

#include "git/commit_tree.hpp"

#include <functional>
#include <set>

namespace skillhost::github {

struct Finding {
  std::string path; // relative to the subpath, as it stands in the tree
  std::string reason;
};

struct Laid {
  std::vector<StoredSkill> skills; // by id
  std::vector<Finding> findings;
  std::set<std::string> lfsPointers; // blobs of pointers of Git LFS, their files here or not
  std::vector<MarketplacePlugin> marketplace; // what the repository takes from others, not laid out
};

// A skill is a folder with a SKILL.md; a document belongs to the nearest such folder at or above
// it. Folders whose name starts with "." count only when the selection or a plugin manifest of the
// repository says so. A skill that breaks a rule is left out whole, a file alone when it is too
// large, a submodule, or a link that leads out of its skill. Throws what `blobs` and `checkpoint`
// do.
Laid layOut(const std::vector<TreeEntry> &entries, const Selection &selection, const Limits &limits,
            Blobs &blobs, const std::function<void()> &checkpoint);

} // namespace skillhost::github
