// SPDX-License-Identifier: Apache-2.0
// A folder in which an instance may keep what it likes, of which it is the only user.
#pragma once

#include <memory>
#include <string>

namespace skillhost {

struct CacheDirectory {
  std::string path;                 // empty: there can be none, as the log says
  std::shared_ptr<const void> ours; // as long as it exists nobody else gets the folder
};

// A folder below `all`, for the plugin of this id under the instance's name, and under the mark
// unless that is empty. It survives restarts; when another host holds it, the first free one of its
// kind (-2, -3, …).
CacheDirectory takeCacheDirectory(const std::string &all, const std::string &instance,
                                  const std::string &plugin, const std::string &mark = {});

// Removes those under any mark, of all instances whose names begin with `start`, that nobody holds
// and that were not used for a week: that time begins when they were taken last, or let go of. None
// if others than this user may write to `all` or put another folder in its place.
void removeUnusedCacheDirectories(const std::string &all, const std::string &start);

} // namespace skillhost
