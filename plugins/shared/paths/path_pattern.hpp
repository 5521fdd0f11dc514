// SPDX-License-Identifier: Apache-2.0
// Patterns with which a source's configuration selects folders and files.
#pragma once

#include "ground/glob.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::paths {

// A glob (ground/glob.hpp) that also stands for everything below its matches, so "a" and "a/**" are
// the same. Case matters, and a leading dot has no special meaning.
class PathPattern {
public:
  // Throws skh::Error(SKH_INVALID) that says what is wrong with the pattern.
  explicit PathPattern(std::string_view pattern);

  // True if it matches the path or a folder above it.
  bool applies(std::string_view path) const;

private:
  Glob glob_;
};

// Reads the patterns of the configuration's `key`. Throws skh::Error(SKH_INVALID) naming key and
// pattern.
std::vector<PathPattern> readPatterns(const std::string &key,
                                      const std::vector<std::string> &patterns);

// True if any of the patterns applies.
bool applies(const std::vector<PathPattern> &patterns, std::string_view path);

// Selects by the keys `include` and `exclude`.
struct Selection {
  std::vector<PathPattern> include, exclude;

  // Takes everything if `include` is empty, but nothing that is excluded.
  bool takes(std::string_view path) const {
    return !applies(exclude, path) && (include.empty() || applies(include, path));
  }
};

} // namespace skillhost::paths
