// SPDX-License-Identifier: Apache-2.0
// Reads the state of a skill's folder, to compare it with what sync has written.
#pragma once

#include "skill_source.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::sync {

struct SkillOnDisk {
  enum class Kind : std::uint8_t { Missing, Folder, Other };
  Kind kind = Kind::Missing; // an empty folder is missing, too; Other: a link or a file
  FileStates files;
  // Paths of things that sync never writes: links, devices, repositories, files above 256 MiB.
  std::vector<std::string> strange;
};

// Reads the folder `name` in `parent` without following links. Ignores what tools leave behind,
// such as __pycache__, and empty folders. Throws std::runtime_error if something cannot be read,
// and for more than 20,000 entries.
SkillOnDisk lookAtSkill(const std::string &parent, const std::string &name);

// Removes the file at the relative path below the folder, and follows no link below it. Nothing
// happens if there is no such file.
void removeFile(const std::string &folder, const std::string &path);

} // namespace skillhost::sync
