// SPDX-License-Identifier: Apache-2.0
// What the API lists of a tree, and the tree objects that it must be made of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::github {

struct ListedEntry {
  std::string name, id;
  std::uint32_t mode = 0;  // octal 040000 is a folder
  std::uint64_t bytes = 0; // of a blob

  bool isFolder() const noexcept { return mode == 040'000; }
  bool isBlob() const noexcept { return (mode & 0170'000U) == 0100'000 || mode == 0120'000; }
};

struct TreeListing {
  std::string id; // as the answer has it: of the tree, or of the commit that was asked for
  bool isTruncated = false;
  // By path, "" for the tree itself; a folder without entries may be missing.
  std::map<std::string, std::vector<ListedEntry>> folders;

  const ListedEntry *at(const std::string &path) const; // nullptr when there is none
};

// Reads the body of an answer. Throws RemoteError when it is none.
TreeListing readListing(std::string_view body);

// The bytes of the tree object that has these entries, in git's order.
std::string treeBytes(std::vector<ListedEntry> entries);

} // namespace skillhost::github
