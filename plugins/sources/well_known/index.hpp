// SPDX-License-Identifier: Apache-2.0
// The index that a server publishes (Agent Skills Discovery, version 0.2.0).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::well_known {

enum class ArtefactKind { document, archive }; // "skill-md" and "archive"

struct IndexEntry {
  std::string name; // 1 to 64 of a-z, 0-9 and single hyphens within
  ArtefactKind kind = ArtefactKind::document;
  std::string url;    // absolute
  std::string digest; // 64 lower-case hexadecimal digits: SHA-256 of what stands there
};

struct Index {
  std::vector<IndexEntry> entries;   // names are unique
  std::vector<std::string> findings; // which entry was left out, and why; a bounded number
};

// Nobody's index is larger, and reading it takes several times as much memory.
constexpr std::size_t mostIndexBytes = std::size_t{32} << 20U;

bool isSkillName(std::string_view name) noexcept;

// Reads an index that was found at `url`; entries that are wrong are left out, of two with one name
// the second, and those beyond `most`. Fields that nobody knows are passed over. Throws
// skh::Error(SKH_UNAVAILABLE) for what is no index, or one of another version: one without $schema
// is of 0.1.0 and has no digests, so nothing of it could be verified.
Index readIndex(std::string_view text, const std::string &url, std::size_t most);

} // namespace skillhost::well_known
