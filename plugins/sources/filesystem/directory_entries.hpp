// SPDX-License-Identifier: Apache-2.0
// What a folder contains, as the system tells it.
#pragma once

#include <string>
#include <vector>

namespace skillhost::filesystem {

struct DirectoryEntry {
  std::string name;
  unsigned char type; // DT_REG and so on; DT_UNKNOWN where the file system does not say
};

// Everything in the open folder but "." and "..", in the system's order, put in place of what
// `entries` holds. Returns an errno value, 0 when complete.
int readEntries(int folder, std::vector<DirectoryEntry> &entries);

} // namespace skillhost::filesystem
