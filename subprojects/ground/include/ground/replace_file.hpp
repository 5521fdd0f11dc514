// SPDX-License-Identifier: Apache-2.0
// Puts a whole new file in the place of another, so that whoever reads finds the one or the other.
#pragma once

#include "ground/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Who may read a file that is new: everybody whom the umask lets, or its owner alone (0600).
enum class FileReaders : std::uint8_t { Everybody, Owner };

// A link at the path: its target is replaced, or the link itself.
enum class FileLinks : std::uint8_t { Follow, Replace };

// Writes `bytes` to a file beside `path`, then renames it; both reach the disk before the return,
// so no end of the process or of the machine leaves half a file. A file that
// was there keeps its owner, its group and its mode, but for FileReaders::Owner; one that is new
// has those of the file `ownedAs`, when that is not empty. A link that leads nowhere is not
// followed. Writers of one path wait for each other. OperationFailed names the file and why. Any
// thread. With `expected`, Conflict when the file holds anything else once the other writers are
// done; a file that is not there holds nothing.
Status replaceFile(const std::string &path, std::string_view bytes,
                   FileReaders readers = FileReaders::Everybody,
                   FileLinks links = FileLinks::Follow,
                   std::optional<std::string_view> expected = std::nullopt,
                   const std::string &ownedAs = {});

// For who finds that there is nothing to write: what a writer that was killed has left beside
// `path` goes. Fails in silence. Any thread.
void removeDraft(const std::string &path);

} // namespace skillhost
