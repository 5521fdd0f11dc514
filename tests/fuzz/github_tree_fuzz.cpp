// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as an API's list of a tree: reading ends, and each entry leads to a tree object.
#include "github/api/listing.hpp"
#include "remote/operation.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  try {
    const std::string text(data, data + size);
    const auto listing = skillhost::github::readListing(text);
    for (const auto &[path, entries] : listing.folders) {
      std::size_t least = 0;
      for (const auto &entry : entries) least += entry.name.size() + 23;
      if (entries.empty() || skillhost::github::treeBytes(entries).size() < least) std::abort();
    }
  } catch (const skillhost::remote::RemoteError &) {}
  return 0;
}
