// SPDX-License-Identifier: Apache-2.0
// Parses the API's listing of a tree and builds the tree objects that must correspond to it.
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
  std::uint64_t bytes = 0; // size of a blob

  bool isFolder() const noexcept { return mode == 040'000; }
  bool isBlob() const noexcept { return (mode & 0170'000U) == 0100'000 || mode == 0120'000; }
};

struct TreeListing {
  std::string id; // id in the answer: that of the tree, or of the requested commit
  bool isTruncated = false;
  // Entries by path of their folder, "" for the tree itself. A folder without entries may be
  // missing.
  std::map<std::string, std::vector<ListedEntry>> folders;

  const ListedEntry *at(const std::string &path) const; // nullptr if there is no such entry
};

// Reads the body of an answer. Throws RemoteError if it is not a listing.
TreeListing readListing(std::string_view body);

// Returns the bytes of the tree object with these entries, in git's order.
std::string treeBytes(std::vector<ListedEntry> entries);

} // namespace skillhost::github
