// SPDX-License-Identifier: Apache-2.0
// Parses the index that a server publishes (Agent Skills Discovery, version 0.2.0).
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
  std::string digest; // 64 lower-case hexadecimal digits: SHA-256 of the file at `url`
};

struct Index {
  std::vector<IndexEntry> entries; // with unique names
  // Entries that were left out, with the reason; limited in number.
  std::vector<std::string> findings;
};

// No known index is larger, and reading it takes several times as much memory.
constexpr std::size_t maxIndexBytes = std::size_t{32} << 20U;

bool isSkillName(std::string_view name) noexcept;

// Reads an index that was found at `url`. It leaves out invalid entries, the second of two with one
// name, and those beyond `maxSkills`. Unknown fields are ignored. Throws
// skh::Error(SKH_UNAVAILABLE) if the text is not an index or has another version. An index without
// $schema has version 0.1.0, which has no digests, so nothing in it could be verified.
Index readIndex(std::string_view text, const std::string &url, std::size_t maxSkills);

} // namespace skillhost::well_known
