// SPDX-License-Identifier: Apache-2.0
#include "cache_directory.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace skillhost::check {

CacheDirectory::CacheDirectory()
    : path_(std::filesystem::temp_directory_path() / "skillhost-check-XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), path_);
}

CacheDirectory::~CacheDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace skillhost::check
