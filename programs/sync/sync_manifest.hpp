// SPDX-License-Identifier: Apache-2.0
// The file in a folder of skills that lists what sync has written there.
#pragma once

#include "ground/result.hpp"
#include "skill_source.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::sync {

inline constexpr std::string_view manifestName = ".skillhost-sync.json";

struct WrittenSkill {
  std::string origin; // of the source, see SkillSource::origin()
  FileStates files;   // as sync has written them; empty: nothing is written yet
  // The files that sync was about to write. A process that was killed meanwhile has left either
  // these or `files`. Nothing: the skill is complete.
  std::optional<FileStates> next;
  std::string uri{}; // of its folder at the source; empty: an older skillhost has written the skill
};

struct SyncManifest {
  std::map<std::string, WrittenSkill> skills; // by name
  // False if the folder's file system cannot keep which files are programs, like core.fileMode of
  // git. They are not compared then.
  bool keepsExecutables = true;

  // Reads the manifest of a folder; a missing file gives an empty one. Fails, naming the file, the
  // reason and what to do, if it is damaged or a newer program has written it. The file may be a
  // stranger's: names and paths in it are checked.
  static Result<SyncManifest> read(const std::string &folder);
  std::string text() const;
  // Replaces the manifest of the folder, or removes it if there are no skills.
  Status write(const std::string &folder) const;
};

} // namespace skillhost::sync
