// SPDX-License-Identifier: Apache-2.0
// metadata.json: what a version is called, when it was saved, and how large the other files are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::store {

enum class Compression : std::uint8_t { None, Zstd };

struct Metadata {
  std::string name;          // of the skill, and its folder's
  std::uint64_t version = 1; // its folder's name; the largest is the current one
  std::string saved;         // when, as RFC 3339 writes it, in UTC
  std::string origin;        // where it came from, for people; may be empty
  std::string content;       // contentDigest(): the same for the same files, whatever the rest
  std::size_t files = 0;
  std::size_t bytes = 0; // of all files, as they are
  bool keyed = false;    // what the checksum was made with; what counts is what the reader has
  Compression compression = Compression::None;
  std::size_t listingBytes = 0;           // of vfs.json as it lies there
  std::size_t expandedBytes = 0;          // and expanded; the same when it is not compressed
  std::optional<std::size_t> moduleBytes; // of module.wasm, when there is one
};

// The text of the file; the same for the same metadata. `origin` must be UTF-8.
std::string writeMetadata(const Metadata &metadata);
// Throws StoreError (Corrupt) for a text that is not what writeMetadata() writes, and for sizes
// over the limits.
Metadata readMetadata(std::string_view text);

} // namespace skillhost::store
