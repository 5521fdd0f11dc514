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

// Says when a file reaches the disk.
enum class Flush : std::uint8_t { Now, Later };

// Puts a new file, mode 0600, in the place of `name` in the folder that is open as `folder`, or of
// the path `name` for AT_FDCWD. Each writer writes a file of its own beside it, then renames it:
// writers do not wait for each other, and the last one wins. With Flush::Now the bytes are on disk
// before the rename, and the folder before the return. With Flush::Later an end of the machine,
// not one of the process, may leave less than all bytes. OperationFailed names the file and why;
// what was there stays, unless only the folder could not be flushed. Any thread.
Status writeFileBeside(int folder, const std::string &name, std::string_view bytes, Flush flush);
// The name of each such file contains this. A writer that is killed leaves its file behind.
inline constexpr std::string_view besideMark = ".new.";
// Removes the files that such writers have left in a folder more than an hour ago. Fails in
// silence. Any thread.
void removeRemains(const std::string &folder);
void removeRemains(int folder); // an open one

// Removes the draft of replaceFile() that a writer that was killed has left beside `path`. The next
// replaceFile() of that path would overwrite it. Fails in silence. Any thread.
void removeDraft(const std::string &path);

} // namespace skillhost
