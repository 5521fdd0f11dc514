// SPDX-License-Identifier: Apache-2.0
// The entries of a tree by path, and where its links lead. For layout.cpp.
#pragma once

#include "blobs.hpp"

#include "git/commit_tree.hpp"

#include <unordered_map>

namespace skillhost::github {

struct Target {
  const TreeEntry *entry = nullptr; // null: `reason` says why there is none
  const char *reason = nullptr;
};

class FileIndex {
public:
  FileIndex(const std::vector<TreeEntry> &entries, Blobs &blobs);

  // The entry at a path; nullptr when there is none.
  const TreeEntry *at(const std::string &path) const;
  // The regular file that an entry is or, by links that stay within `skill`, leads to.
  Target follow(const TreeEntry &entry, const std::string &skill) const;

private:
  std::unordered_map<std::string, const TreeEntry *> byPath_;
  Blobs &blobs_;
};

// True when `path` is `folder` or below it; everything is below "".
bool isWithin(const std::string &path, const std::string &folder);

} // namespace skillhost::github
