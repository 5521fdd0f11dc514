// SPDX-License-Identifier: Apache-2.0
// What a skill was for a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct SkillVersion {
  std::int64_t id = 0;               // within its file; a later version has a higher one
  std::int64_t since = 0;            // Unix milliseconds
  std::optional<std::int64_t> until; // none: it is served still, as far as this server knows
  std::string digest;                // BLAKE3 of SKILL.md, in hexadecimal
  std::size_t bytes = 0;             // of SKILL.md
  std::size_t files = 0;             // SKILL.md included
  std::string facts;                 // that the source stated when it came: a JSON object, or empty
  bool hasText = false;
};

struct VersionedFile {
  std::string path;
  std::optional<std::uint64_t> size;
  std::string mark; // another one whenever the source has said that the file is another
};

struct VersionContent {
  SkillVersion version;
  std::optional<std::string> text;  // of SKILL.md; none: it is not kept
  std::vector<VersionedFile> files; // the first of them, when there are very many
};

} // namespace skillhost
