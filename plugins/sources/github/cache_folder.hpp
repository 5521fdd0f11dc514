// SPDX-License-Identifier: Apache-2.0
// Where an instance keeps what it fetched.
#pragma once

#include <skillhost/plugin.hpp>

#include <string>

namespace skillhost::github {

class CacheFolder {
public:
  // The host's cache directory. Where it grants none, a folder that goes away with this object, and
  // a warning: every start then fetches anew. Throws skh::Error(SKH_UNAVAILABLE) when there is
  // none.
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
