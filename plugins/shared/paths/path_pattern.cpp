// SPDX-License-Identifier: Apache-2.0
#include "path_pattern.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>

namespace skillhost::paths {
namespace {

[[noreturn]] void refuse(std::string_view pattern, const std::string &why) {
  throw skh::Error(SKH_INVALID, "pattern \"" + std::string(pattern) + "\": " + why);
}

// Removes redundant parts and refuses segments that no listed path has.
std::string_view checked(std::string_view pattern) {
  std::string_view rest = pattern;
  if (rest.starts_with("./")) rest.remove_prefix(2);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.empty()) refuse(pattern, "is empty");
  // A folder's name already stands for everything below it.
  constexpr std::string_view below = "/**";
  while (rest.size() > below.size() && rest.ends_with(below)) rest.remove_suffix(below.size());
  if (rest.front() == '/') refuse(pattern, "must be relative to the directory");
  for (std::string_view left = rest;;) {
    const std::size_t slash = left.find('/');
    const std::string_view segment = left.substr(0, slash);
    if (segment.empty()) refuse(pattern, R"(has an empty segment ("//"))");
    if (segment == "." || segment == "..") refuse(pattern, R"(may not contain "." or "..")");
    if (slash == left.npos) return rest;
    left.remove_prefix(slash + 1);
  }
}

Glob compiled(std::string_view pattern) {
  Result<Glob> glob = Glob::compile(pattern);
  if (!glob) throw skh::Error(SKH_INVALID, glob.failure().message);
  return *std::move(glob);
}

} // namespace

PathPattern::PathPattern(std::string_view pattern) : glob_(compiled(checked(pattern))) {}

bool PathPattern::applies(std::string_view path) const { return glob_.matchesOrAbove(path); }

std::vector<PathPattern> readPatterns(const std::string &key,
                                      const std::vector<std::string> &patterns) {
  std::vector<PathPattern> read;
  for (const std::string &pattern : patterns) {
    try {
      read.emplace_back(pattern);
    } catch (const skh::Error &error) {
      throw skh::Error(SKH_INVALID, key + ": " + error.what());
    }
  }
  return read;
}

bool applies(const std::vector<PathPattern> &patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const PathPattern &pattern) { return pattern.applies(path); });
}

} // namespace skillhost::paths
