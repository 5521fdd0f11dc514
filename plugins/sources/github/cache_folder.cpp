// SPDX-License-Identifier: Apache-2.0
#include "cache_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace skillhost::github {

CacheFolder::CacheFolder(skh::Host host) : path_(host.cacheDir()), isOurs_(path_.empty()) {
  if (!isOurs_) return;
  std::error_code error;
  path_ = (std::filesystem::temp_directory_path(error) / "skillhost-github-XXXXXX").string();
  if (error || ::mkdtemp(path_.data()) == nullptr)
    throw skh::Error(SKH_UNAVAILABLE, "the host grants no cache directory, and " + path_ +
                                          " cannot be made: " + std::strerror(errno));
  host.log(SKH_WARN, "the host grants no cache directory: nothing is kept for the next start");
}

CacheFolder::~CacheFolder() {
  std::error_code ignored;
  if (isOurs_) std::filesystem::remove_all(path_, ignored);
}

} // namespace skillhost::github
