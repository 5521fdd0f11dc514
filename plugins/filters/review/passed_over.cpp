// SPDX-License-Identifier: Apache-2.0
#include "review/passed_over.hpp"

#include "ground/folder.hpp"
#include "ground/shown.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxNamed = 20, maxEntries = 10'000;

// `folder` ends in a slash.
bool holdsDocument(const LockedSkill &files, const std::string &folder) {
  const auto first = files.lower_bound(folder);
  return first != files.end() && first->first.starts_with(folder);
}

} // namespace

PassedOver passedOver(const Review &review) {
  const LockedSkill files = review.files();
  PassedOver found;
  if (review.folder.empty()) return found;
  if (files.empty()) {
    found.isAll = false;
    return found;
  }
  std::vector<std::string> pending{""}; // each ends in a slash, except the skill's folder itself
  std::size_t entries = 0;
  while (!pending.empty()) {
    const std::string within = std::move(pending.back());
    pending.pop_back();
    std::error_code error;
    const fs::path folder = fs::path(review.folder) / within;
    for (const std::string &name : namesIn(folder.string(), error, maxEntries - entries)) {
      ++entries;
      std::string path = within + name;
      std::string below = path + '/';
      std::error_code unknown;
      if (holdsDocument(files, below))
        pending.push_back(std::move(below));
      else if (!files.contains(path))
        found.names.push_back(fs::symlink_status(folder / name, unknown).type() ==
                                      fs::file_type::directory
                                  ? std::move(below)
                                  : std::move(path));
    }
    found.isAll = found.isAll && !error && entries < maxEntries;
  }
  std::sort(found.names.begin(), found.names.end());
  found.isAll = found.isAll && found.names.size() <= maxNamed;
  found.names.resize(std::min(found.names.size(), maxNamed));
  return found;
}

std::string textOf(const PassedOver &found) {
  std::string text;
  for (const std::string &name : found.names) (text += text.empty() ? "" : ", ") += shownLine(name);
  if (found.isAll) return text;
  return text.empty() ? "its folder cannot be read to the end" : text + " and more";
}

} // namespace skillhost
