// SPDX-License-Identifier: Apache-2.0
// Reads and writes the files of a skill in a folder. Follows no links.
#pragma once

#include "ground/result.hpp"
#include "inbox/proposal.hpp"

#include <fcntl.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::inbox {

// The flags of open(2) for a folder that is no link.
inline constexpr int asFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// The sizes that can be compared and shown.
struct ReadLimits {
  std::size_t files = 2'000;
  std::size_t bytes = 64U << 20U;
};

// Holds the content of a folder. The paths are relative to it.
struct FolderContent {
  Files files;
  // Folders in it that are skills of their own. Their files are no files of this folder.
  std::vector<std::string> skills;
  // Folders in it whose names begin with a dot, and that have documents. A source serves these only
  // if it is told to, so they are no files of a skill here.
  std::vector<std::string> dotFolders;
};

// Returns the content of the folder `name` in the open folder `parent`; nothing if there is none.
// Files whose names say that they are secret or made by tools are left out. A link counts as a file
// whose text names its target. Fails with Conflict if `name` is no folder, with TooLarge above the
// limits, and with OperationFailed if something cannot be read.
Result<std::optional<FolderContent>> readContent(int parent, const std::string &name,
                                                 const ReadLimits &limits = {});

// The readers of a written folder: only its owner, or everybody whom the umask allows.
enum class Readers { Owner, Everybody };

// Makes the folder `name` in the open folder `parent`, and writes the files. All of them are on
// disk before the return. Fails with OperationFailed; the folder may then be incomplete.
Status writeContent(int parent, const std::string &name, const Files &files, Readers readers);

// Removes `name` in the open folder `parent`, with everything in it. Succeeds if there is none.
Status removeAll(int parent, const std::string &name);

// Returns OperationFailed with the reason of errno.
Failure failedNow(const std::string &what);

} // namespace skillhost::inbox
