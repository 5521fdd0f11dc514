// SPDX-License-Identifier: Apache-2.0
// Takes a pattern and a path, cut at the first line break: whatever they hold, matching ends, an
// exact path matches itself, and `**` matches everything.
#include "ground/glob.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using skillhost::Glob;
using skillhost::Result;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string input(data, data + size);
  const std::size_t cut = input.find('\n');
  const std::string pattern = input.substr(0, cut);
  const std::string path = cut == std::string::npos ? pattern : input.substr(cut + 1);
  const Result<Glob> glob = Glob::compile(pattern);
  if (!glob) return glob.failure().message.empty() ? std::abort(), 1 : 0;
  if (!glob->matches(pattern)) std::abort();
  const bool matched = glob->matches(path);
  // A group of two equal alternatives means the same as the pattern, except for the path that is
  // spelled like the group.
  const std::string both = "{" + pattern + "," + pattern + "}";
  if (const Result<Glob> grouped = Glob::compile(both);
      grouped && pattern.find_first_of("{},[\\*") == std::string::npos && path != both &&
      grouped->matches(path) != matched)
    std::abort();
  if (const Result<Glob> all = Glob::compile("**"); !all || !all->matches(path)) std::abort();
  return 0;
}
