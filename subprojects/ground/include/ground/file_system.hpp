// SPDX-License-Identifier: Apache-2.0
// Says what can be expected of the file system that a file lies on.
#pragma once

namespace skillhost {

enum class FileSystem {
  local,   // our clock sets the times, and inotify reports all changes
  layered, // overlay: changes below the top layer are not reported
  remote // network, FUSE, 9p: foreign clock, changes by others are not reported, and a file may go
         // away while it is open
};

// `descriptor` may be any file on it. A file system that does not answer counts as local. May be
// called on any thread.
FileSystem fileSystemOf(int descriptor) noexcept;

} // namespace skillhost
