// SPDX-License-Identifier: Apache-2.0
// metadata.json holds the name and version of a skill, the time of saving, and the sizes of the
// other files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::store {

enum class Compression : std::uint8_t { None, Zstd };

struct Metadata {
  std::string name;          // name of the skill and of its folder
  std::uint64_t version = 1; // name of its folder; the largest is the current one
  std::string saved;         // time as in RFC 3339, in UTC
  std::string origin;        // origin for people; may be empty
  std::string content;       // contentDigest(): equal for equal files, whatever the rest
  std::size_t files = 0;
  std::size_t bytes = 0; // all files, unencoded
  bool keyed = false;    // how the writer made the checksum; only the reader's key counts
  Compression compression = Compression::None;
  std::size_t listingBytes = 0;           // size of the file vfs.json
  std::size_t expandedBytes = 0;          // its expanded size; the same if it is not compressed
  std::optional<std::size_t> moduleBytes; // size of module.wasm, if there is one
};

// Returns the text of the file, which is the same for the same metadata. `origin` must be UTF-8.
std::string writeMetadata(const Metadata &metadata);
// Throws StoreError (Corrupt) if writeMetadata() would not write this text, or if a size exceeds a
// limit.
Metadata readMetadata(std::string_view text);

} // namespace skillhost::store
