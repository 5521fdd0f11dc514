// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, checked and complete. Immutable after construction.
#pragma once

#include "paths/path_pattern.hpp"

#include <chrono>
#include <cstdint>

namespace skillhost::filesystem {

enum class WatchMode { automatic, inotify, poll, off };

struct Directory {
  std::string path; // absolute, `~` expanded, without "." and "..", no trailing '/'
  std::string name; // its base name, unique among the directories of the instance
};

struct Settings {
  // Reads the JSON object `configuration`. Missing keys have the defaults of schema.json. Throws
  // skh::Error(SKH_INVALID) naming the wrong key.
  explicit Settings(std::string_view configuration);

  std::vector<Directory> directories;
  bool optional = false; // a directory may be missing at the start
  std::vector<paths::PathPattern> include, exclude;
  bool hidden = false;
  std::vector<std::string> linkTargets;     // absolute: allowed targets of links at the top
  std::vector<std::string> servedElsewhere; // absolute: links to these are skipped silently
  WatchMode watch = WatchMode::automatic;
  std::chrono::milliseconds pollInterval{2'000}, debounce{50};
  std::uint64_t maxFileBytes = 67'108'864;
  std::size_t maxFiles = 200'000;
  std::size_t threads = 0; // at least 1 after reading
};

} // namespace skillhost::filesystem
