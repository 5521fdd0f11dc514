// SPDX-License-Identifier: Apache-2.0
// Replaces a file as a whole, so that a reader finds either the old or the new content.
#pragma once

#include "ground/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// The readers of a new file: everybody whom the umask allows, or only its owner (0600).
enum class FileReaders : std::uint8_t { Everybody, Owner };

// For a link at the path: replace its target, or the link itself.
enum class FileLinks : std::uint8_t { Follow, Replace };

// Writes `bytes` to a file beside `path`, then renames it. Both reach the disk before the return,
// so no end of the process or the machine leaves half a file. An existing file keeps its owner, its
// group and its mode, except with FileReaders::Owner; a new one gets those of the file `ownedAs`,
// unless that is empty. A link that leads nowhere is not followed. Writers of one path wait for
// each other. OperationFailed names the file and the reason. With `expected`, fails with Conflict
// if the file has any other content once the other writers have finished; a missing file counts as
// empty. May be called on any thread.
Status replaceFile(const std::string &path, std::string_view bytes,
                   FileReaders readers = FileReaders::Everybody,
                   FileLinks links = FileLinks::Follow,
                   std::optional<std::string_view> expected = std::nullopt,
                   const std::string &ownedAs = {});

// When a file reaches the disk.
enum class Flush : std::uint8_t { Now, Later };

// Replaces `name` in the folder that is open as `folder`, or the path `name` for AT_FDCWD, by a new
// file with mode 0600. Each writer writes its own file beside it, then renames it: writers do not
// wait for each other, and the last one wins. With Flush::Now the bytes are on disk before the
// rename, and the folder before the return. With Flush::Later an end of the machine, but not of the
// process, may leave an incomplete file. OperationFailed names the file and the reason; the old
// file stays, unless only the folder could not be flushed. May be called on any thread.
Status writeFileBeside(int folder, const std::string &name, std::string_view bytes, Flush flush);
// A part of the name of each such file. A killed writer leaves its file behind.
inline constexpr std::string_view besideMark = ".new.";
// Removes the files that such writers left in a folder more than an hour ago. Ignores failures. May
// be called on any thread.
void removeRemains(const std::string &folder);
void removeRemains(int folder); // for an open folder

// Removes the draft that a killed replaceFile() left beside `path`. The next replaceFile() of that
// path would overwrite it. Ignores failures. May be called on any thread.
void removeDraft(const std::string &path);

} // namespace skillhost
