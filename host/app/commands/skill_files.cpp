// SPDX-License-Identifier: Apache-2.0
#include "commands/skill_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;

bool namesEntry(const std::string &name) {
  constexpr std::string_view entry = "skill.md";
  return std::equal(name.begin(), name.end(), entry.begin(), entry.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

// The entry of one folder, then its folders. Depth is bounded by the length of a path.
void look(const fs::path &folder, HiddenFolders hidden, SkillFiles &found) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) {
    found.unreadable.emplace_back(folder.string(), error.message());
    return;
  }
  std::vector<fs::path> below;
  std::string document;
  for (const fs::directory_entry &entry : entries) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (!entry.is_symlink(ignored) && entry.is_directory(ignored)) {
      const bool passedOver = hidden == HiddenFolders::PassOver && name.starts_with('.');
      if (!passedOver && name != ".git") below.push_back(entry.path());
    } else if (namesEntry(name) && entry.is_regular_file(ignored)) {
      // SKILL.md itself comes first; among others the first in order of bytes.
      const bool better =
          document.empty() || name == "SKILL.md" ||
          (fs::path(document).filename() != "SKILL.md" && entry.path().string() < document);
      if (better) document = entry.path().string();
    }
  }
  if (!document.empty()) found.documents.push_back(std::move(document));
  for (const fs::path &one : below) look(one, hidden, found);
}

} // namespace

SkillFiles findSkillFiles(const std::string &path, HiddenFolders hidden) {
  SkillFiles found;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    look(path, hidden, found);
  else if (fs::is_regular_file(status))
    found.documents.push_back(path);
  else
    found.unreadable.emplace_back(path, error ? error.message() : "not a file or folder");
  std::sort(found.documents.begin(), found.documents.end());
  return found;
}

} // namespace skillhost::app
