// SPDX-License-Identifier: Apache-2.0
// Derives the skills from the files of a commit and reports what is wrong with those left out.
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
  std::string path; // relative to the subpath, as in the tree
  std::string reason;
};

struct LayoutResult {
  std::vector<StoredSkill> skills; // by id
  std::vector<Finding> findings;
  // Blobs of Git LFS pointers, whether their files are present or not.
  std::set<std::string> lfsPointers;
  // Plugins that the repository takes from others; not laid out here.
  std::vector<MarketplacePlugin> marketplace;
};

// A skill is a folder with a SKILL.md. A document belongs to the nearest such folder at or above
// it. Folders whose name starts with "." only count if the selection or a plugin manifest of the
// repository says so. A skill that breaks a rule is left out as a whole; a single file is left out
// if it is too large, a submodule, or a link that leads out of its skill. Throws what `blobs` and
// `checkpoint` throw.
LayoutResult layOut(const std::vector<TreeEntry> &entries, const Selection &selection,
                    const Limits &limits, Blobs &blobs, const std::function<void()> &checkpoint);

} // namespace skillhost::github
