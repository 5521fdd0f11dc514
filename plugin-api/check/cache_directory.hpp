// SPDX-License-Identifier: Apache-2.0
// A private folder in which a plugin may store files for one run. It is removed with this object.
#pragma once

#include <string>

namespace skillhost::check {

class CacheDirectory {
public:
  CacheDirectory(); // throws std::system_error
  ~CacheDirectory();
  CacheDirectory(const CacheDirectory &) = delete;
  CacheDirectory &operator=(const CacheDirectory &) = delete;
  const std::string &path() const noexcept { return path_; }

private:
  std::string path_;
};

} // namespace skillhost::check
