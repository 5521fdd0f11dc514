// SPDX-License-Identifier: Apache-2.0
// A folder in which an instance may keep files, and of which it is the only user.
#pragma once

#include <memory>
#include <string>

namespace skillhost {

struct CacheDirectory {
  std::string path;                 // empty: there is none, and the log says why
  std::shared_ptr<const void> ours; // while it exists, nobody else gets the folder
};

// Takes a folder below `all` for the plugin of this id, under the instance's name and, unless it is
// empty, the mark. The folder survives restarts. If another host holds it, takes the first free one
// of its kind (-2, -3, …).
CacheDirectory takeCacheDirectory(const std::string &all, const std::string &instance,
                                  const std::string &plugin, const std::string &mark = {});

// Removes the folders under any mark, of all instances whose names begin with `start`, that nobody
// holds and that were not used for a week. The week begins when a folder was last taken or
// released. Removes none if others than this user may write to `all` or put another folder in its
// place.
void removeUnusedCacheDirectories(const std::string &all, const std::string &start);

} // namespace skillhost
