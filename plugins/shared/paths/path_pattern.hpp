// SPDX-License-Identifier: Apache-2.0
// The patterns by which a source's configuration chooses folders and files.
#pragma once

#include "ground/glob.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::paths {

// A glob (ground/glob.hpp) that stands for all below what it matches, too. Case matters; a leading
// dot is a character like any other.
class PathPattern {
public:
  // Throws skh::Error(SKH_INVALID) saying what is wrong with the pattern.
  explicit PathPattern(std::string_view pattern);

  // True when it matches the path or a folder above it.
  bool applies(std::string_view path) const;
  // True when it applies to everything below the folder, whether or not to the folder itself.
  bool covers(std::string_view folder) const;

private:
  Glob whole_;
  std::optional<Glob> above_; // of "a/**", which takes everything below a, though not a itself: "a"
};

// The patterns of a configuration's `key`. Throws skh::Error(SKH_INVALID) naming key and pattern.
std::vector<PathPattern> readPatterns(const std::string &key,
                                      const std::vector<std::string> &patterns);

// Any of them.
bool applies(const std::vector<PathPattern> &patterns, std::string_view path);
bool covers(const std::vector<PathPattern> &patterns, std::string_view folder);

} // namespace skillhost::paths
