// SPDX-License-Identifier: Apache-2.0
// Glob patterns over '/' separated relative paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::paths {

// One pattern. `*` is any run of characters but '/', `?` one character but '/', `[a-z]` and
// `[!a-z]` one of a set, a segment `**` any number of segments, `\` takes the next character
// literally. Case matters; a leading dot is a character like any other.
class Glob {
public:
  // Throws skh::Error(SKH_INVALID) saying what is wrong with the pattern.
  explicit Glob(std::string_view pattern);

  bool matches(std::string_view path) const;
  // True when it matches the path or a folder above it.
  bool applies(std::string_view path) const;
  // True when it applies to everything below the folder, whether or not to the folder itself.
  bool covers(std::string_view folder) const;

private:
  std::vector<std::string> segments_;
};

// The patterns of a configuration's `key`. Throws skh::Error(SKH_INVALID) naming key and pattern.
std::vector<Glob> readGlobs(const std::string &key, const std::vector<std::string> &patterns);

// Any of them.
bool applies(const std::vector<Glob> &patterns, std::string_view path);
bool covers(const std::vector<Glob> &patterns, std::string_view folder);

} // namespace skillhost::paths
