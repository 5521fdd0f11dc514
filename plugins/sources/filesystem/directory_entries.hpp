// SPDX-License-Identifier: Apache-2.0
// Reads the content of a folder as the system lists it.
#pragma once

#include <string>
#include <vector>

namespace skillhost::filesystem {

struct DirectoryEntry {
  std::string name;
  unsigned char type; // DT_REG and so on; DT_UNKNOWN if the file system does not say
};

// Replaces `entries` with everything in the open folder except "." and "..", in the system's order.
// Returns an errno value, or 0 if the list is complete.
int readEntries(int folder, std::vector<DirectoryEntry> &entries);

} // namespace skillhost::filesystem
