// SPDX-License-Identifier: Apache-2.0
// The content of a skill during a period of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct SkillVersion {
  std::int64_t id = 0;               // within its file; a later version has a higher number
  std::int64_t since = 0;            // Unix milliseconds
  std::optional<std::int64_t> until; // none: it is still served, as far as this server knows
  std::string digest;                // BLAKE3 of SKILL.md, in hexadecimal
  std::size_t bytes = 0;             // of SKILL.md
  std::size_t files = 0;             // includes SKILL.md
  // Stated by the source at the beginning of the version: a JSON object, or empty.
  std::string facts;
  bool hasText = false;
};

struct VersionedFile {
  std::string path;
  std::optional<std::uint64_t> size;
  std::string mark; // changes whenever the source says that the file has changed
};

struct VersionContent {
  SkillVersion version;
  std::optional<std::string> text;  // of SKILL.md; none if it is not kept
  std::vector<VersionedFile> files; // only the first ones if there are very many
};

} // namespace skillhost
