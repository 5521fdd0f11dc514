// SPDX-License-Identifier: Apache-2.0
// Finds the entries of a tree by path and resolves its links, for layout.cpp.
#pragma once

#include "blobs.hpp"

#include "git/commit_tree.hpp"

#include <unordered_map>

namespace skillhost::github {

struct Target {
  const TreeEntry *entry = nullptr; // null if there is none; `reason` then says why
  const char *reason = nullptr;
};

class FileIndex {
public:
  FileIndex(const std::vector<TreeEntry> &entries, Blobs &blobs);

  // Returns the entry at a path; nullptr if there is none.
  const TreeEntry *at(const std::string &path) const;
  // Follows symbolic links from `entry` to a file. An entry that is no link is returned itself.
  // Fails if a link leads out of the folder `skillFolder`.
  Target follow(const TreeEntry &entry, const std::string &skillFolder) const;

private:
  std::unordered_map<std::string, const TreeEntry *> byPath_;
  Blobs &blobs_;
};

// True when `path` is `folder` or below it; everything is below "".
bool isWithin(const std::string &path, const std::string &folder);

} // namespace skillhost::github
