// SPDX-License-Identifier: Apache-2.0
// The folder in which an instance keeps fetched data.
#pragma once

#include <skillhost/plugin.hpp>

#include <string>

namespace skillhost::github {

class CacheFolder {
public:
  // Uses the host's cache directory. If the host grants none, it uses a temporary folder that is
  // removed with this object and warns that every start fetches everything again. Throws
  // skh::Error(SKH_UNAVAILABLE) if no folder can be created.
  explicit CacheFolder(skh::Host host);
  ~CacheFolder();
  CacheFolder(const CacheFolder &) = delete;
  CacheFolder &operator=(const CacheFolder &) = delete;

  std::string file(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
  bool isOurs_ = false;
};

} // namespace skillhost::github
