// SPDX-License-Identifier: Apache-2.0
// Remembers the newest served version of each skill and its content, in the instance's own folder,
// which writers of the store cannot change. Any thread may use it.
#pragma once

#include "settings.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace skillhost::store_source {

struct ServedVersion {
  std::uint64_t version = 0;
  std::string content; // digest of its content
};

class ServedVersions {
public:
  // If `folder` is empty, the memory lasts as long as this object. Otherwise reads the file there,
  // and the files in the folders beside it that belong to this plugin, in which other instances or
  // hosts remember what they have served of the same store with the same trust. Throws
  // skh::Error(SKH_CORRUPT) that names the file if it is damaged, because a damaged file does not
  // mean that nothing was served.
  ServedVersions(std::string folder, const Settings &settings);

  // Returns the reason why this version must not be served, and what to do; empty if it may.
  std::string refusal(const std::string &name, const ServedVersion &version) const;
  // Records that this version is served. The largest number is remembered.
  void add(const std::string &name, const ServedVersion &version);
  // Writes changes to disk. Throws skh::Error(SKH_UNAVAILABLE).
  void save();

private:
  using All = std::map<std::string, ServedVersion>;

  void learn(const All &more);
  // Returns nothing if there is no such file. Throws skh::Error(SKH_CORRUPT).
  All read(const std::string &file, bool ofOthers) const;

  const std::string store_, trust_; // directory of the store, and its trust settings
  std::string folder_, name_;       // of the file
  mutable std::mutex mutex_;        // guards the members below
  All served_;
  bool changed_ = false;
};

} // namespace skillhost::store_source
