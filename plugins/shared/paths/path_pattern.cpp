// SPDX-License-Identifier: Apache-2.0
#include "glob.hpp"

#include "segment_match.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <span>

namespace skillhost::paths {
namespace {

using Segments = std::span<const std::string>;

[[noreturn]] void refuse(std::string_view pattern, const std::string &why) {
  throw skh::Error(SKH_INVALID, "pattern \"" + std::string(pattern) + "\": " + why);
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == path.npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

// Goes back only to the last "**": what an earlier one could take, the last one can as well.
bool matchSegments(Segments pattern, std::span<const std::string_view> path) {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t afterStars = pattern.size() + 1; // none met yet
  std::size_t retry = 0;
  while (in < path.size()) {
    if (at < pattern.size() && pattern[at] == "**") {
      afterStars = ++at;
      retry = in;
    } else if (at < pattern.size() && matchSegment(pattern[at], path[in])) {
      ++at;
      ++in;
    } else if (afterStars <= pattern.size()) {
      at = afterStars;
      in = ++retry;
    } else {
      return false;
    }
  }
  return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(at), pattern.end(),
                     [](const std::string &rest) { return rest == "**"; });
}

bool matchesOrAbove(Segments pattern, std::string_view path) {
  const std::vector<std::string_view> parts = split(path);
  for (std::size_t size = 1; size <= parts.size(); ++size) {
    if (matchSegments(pattern, std::span(parts).first(size))) return true;
  }
  return false;
}

} // namespace

Glob::Glob(std::string_view pattern) {
  std::string_view rest = pattern;
  if (rest.starts_with("./")) rest.remove_prefix(2);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.empty()) refuse(pattern, "is empty");
  if (rest.front() == '/') refuse(pattern, "must be relative to the directory");
  for (const std::string_view segment : split(rest)) {
    if (segment.empty()) refuse(pattern, R"(has an empty segment ("//"))");
    if (segment == "." || segment == "..") refuse(pattern, R"(may not contain "." or "..")");
    if (const char *fault = segmentFault(segment)) refuse(pattern, fault);
    segments_.emplace_back(segment);
  }
}

bool Glob::matches(std::string_view path) const { return matchSegments(segments_, split(path)); }

bool Glob::applies(std::string_view path) const { return matchesOrAbove(segments_, path); }

bool Glob::covers(std::string_view folder) const {
  if (matchesOrAbove(segments_, folder)) return true;
  // "a/**" takes everything below a, though not a itself.
  const Segments all(segments_);
  return all.size() > 1 && all.back() == "**" && matchesOrAbove(all.first(all.size() - 1), folder);
}

std::vector<Glob> readGlobs(const std::string &key, const std::vector<std::string> &patterns) {
  std::vector<Glob> globs;
  for (const std::string &pattern : patterns) {
    try {
      globs.emplace_back(pattern);
    } catch (const skh::Error &error) {
      throw skh::Error(SKH_INVALID, key + ": " + error.what());
    }
  }
  return globs;
}

bool applies(const std::vector<Glob> &patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const Glob &pattern) { return pattern.applies(path); });
}

bool covers(const std::vector<Glob> &patterns, std::string_view folder) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const Glob &pattern) { return pattern.covers(folder); });
}

} // namespace skillhost::paths
