// SPDX-License-Identifier: Apache-2.0
// The patterns by which a source's configuration chooses folders and files.
#pragma once

#include "ground/glob.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::paths {

// A glob (ground/glob.hpp) that stands for all below what it matches, too: "a" and "a/**" are the
// same. Case matters; a leading dot is a character like any other.
class PathPattern {
public:
  // Throws skh::Error(SKH_INVALID) saying what is wrong with the pattern.
  explicit PathPattern(std::string_view pattern);

  // True when it matches the path or a folder above it.
  bool applies(std::string_view path) const;

private:
  Glob glob_;
};

// The patterns of a configuration's `key`. Throws skh::Error(SKH_INVALID) naming key and pattern.
std::vector<PathPattern> readPatterns(const std::string &key,
                                      const std::vector<std::string> &patterns);

// Any of them.
bool applies(const std::vector<PathPattern> &patterns, std::string_view path);

} // namespace skillhost::paths
