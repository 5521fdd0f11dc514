// SPDX-License-Identifier: Apache-2.0
// A folder in which an instance may keep files. It is the only user, unless its plugin shares.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace skillhost {

struct CacheDirectory {
  std::string path; // empty: there is none, and the log says why
  // While it exists, nobody gets the folder who would not share it.
  std::shared_ptr<const void> ours;
};

// Takes a folder below `all` for the plugin of this id and these flags, under the instance's name
// and, unless it is empty, the mark. The folder survives restarts. If another host holds it, and
// not both have the flag SKH_SHARES_CACHE, takes the first free one of its kind (-2, -3, …).
CacheDirectory takeCacheDirectory(const std::string &all, const std::string &instance,
                                  const std::string &plugin, const std::string &mark = {},
                                  std::uint32_t flags = 0);

// Removes the folders under any mark, of all instances whose names begin with `start`, that nobody
// holds and that were not used for a week. The week begins when a folder was last taken or
// released. Removes none if others than this user may write to `all` or put another folder in its
// place.
void removeUnusedCacheDirectories(const std::string &all, const std::string &start);

} // namespace skillhost
