// SPDX-License-Identifier: Apache-2.0
// Parses the index that a server publishes (Agent Skills Discovery, version 0.2.0, or 0.1.0 if that
// is allowed).
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
  std::string url;    // absolute; of SKILL.md, if the index has no digests
  std::string digest; // 64 lower-case hexadecimal digits: SHA-256 of the file at `url`
  // For an index without digests: the paths of the skill's files, below the folder of `url`. The
  // plugin then packs the fetched files into an archive, which has the digest.
  std::vector<std::string> files{};
};

struct Index {
  std::vector<IndexEntry> entries; // with unique names
  bool isVerified = true;          // has digests
  // Entries that were left out, with the reason; limited in number.
  std::vector<std::string> findings;
};

// No known index is larger, and reading it takes several times as much memory.
constexpr std::size_t maxIndexBytes = std::size_t{32} << 20U;

// Limits of an index, and what it may be.
struct IndexRules {
  std::size_t maxSkills = 0, maxSkillFiles = 0;
  bool allowUnverified = false; // version 0.1.0 may be read, too
};

bool isSkillName(std::string_view name) noexcept;

// Reads an index that was found at `url`. It leaves out invalid entries, the second of two with one
// name, and those beyond `maxSkills`. Unknown fields are ignored. Throws
// skh::Error(SKH_UNAVAILABLE) if the text is not an index, or has a version that is unknown or not
// allowed. An index without $schema has version 0.1.0, which has no digests, so nothing in it can
// be verified.
Index readIndex(std::string_view text, const std::string &url, const IndexRules &rules);

} // namespace skillhost::well_known
