// SPDX-License-Identifier: Apache-2.0
// The newest version of each skill that was served, and what it held: kept in the instance's own
// folder, which whoever writes to the store cannot reach. Any thread.
#pragma once

#include "settings.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace skillhost::store_source {

struct ServedVersion {
  std::uint64_t version = 0;
  std::string content; // its digest
};

class ServedVersions {
public:
  // `folder` empty: it lasts as long as this does. Reads what is there, and in the folders beside
  // it that belong to this plugin what other instances, or other hosts, have served of the same
  // store with the same trust.
  // Throws skh::Error(SKH_CORRUPT), which names the file, when it is damaged: that is not as if
  // nothing had been served.
  ServedVersions(std::string folder, const Settings &settings);

  // Empty, or why this version is not to be served, and what to do.
  std::string refusal(const std::string &name, const ServedVersion &version) const;
  // That this version is served. The one remembered is the one with the largest number.
  void add(const std::string &name, const ServedVersion &version);
  // Brings to disk what has changed. Throws skh::Error(SKH_UNAVAILABLE).
  void save();

private:
  using All = std::map<std::string, ServedVersion>;

  void learn(const All &more);
  // Nothing when there is no such file. Throws skh::Error(SKH_CORRUPT).
  All read(const std::string &file, bool ofOthers) const;

  const std::string store_, trust_; // the store's directory, and what its skills are held to
  std::string folder_, name_;       // of the file
  mutable std::mutex mutex_;        // guards what follows
  All served_;
  bool changed_ = false;
};

} // namespace skillhost::store_source
