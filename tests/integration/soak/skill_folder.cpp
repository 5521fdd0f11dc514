// SPDX-License-Identifier: Apache-2.0
#include "skill_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace soak {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t maxBytes = 20'000; // bytes of a text

// Replaces the file in one rename, so that no reader meets half a file.
void replace(const fs::path &path, const std::string &text) {
  const fs::path beside = path.parent_path() / ("." + path.filename().string() + ".new");
  std::ofstream(beside) << text;
  fs::rename(beside, path);
}

} // namespace

SkillFolder::SkillFolder(std::size_t made, const std::string &corpus) : made_(made) {
  std::string name = (fs::temp_directory_path() / "soak-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
  for (std::size_t i = 0; i < made; ++i) {
    names_.push_back("skill-" + std::to_string(i));
    write(i, 500 + i * 977 % maxBytes, 0);
  }
  if (corpus.empty()) return;
  fs::copy(corpus, path_ / "corpus", fs::copy_options::recursive | fs::copy_options::skip_symlinks);
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(path_ / "corpus"))
    if (entry.path().filename() == "SKILL.md")
      names_.push_back(entry.path().parent_path().filename().string());
}

SkillFolder::~SkillFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

void SkillFolder::write(std::size_t skill, std::size_t bytes, std::size_t version) const {
  const fs::path folder = path_ / names_[skill];
  fs::create_directories(folder / "references");
  std::string text = "---\nname: " + names_[skill] + "\ndescription: Number " +
                     std::to_string(skill) + ", version " + std::to_string(version) +
                     ". Use when a number is wanted.\n---\nSee references/notes.md.\n";
  while (text.size() < bytes)
    text += "Line " + std::to_string(text.size()) + " of the instructions, which are to be read.\n";
  replace(folder / "references" / "notes.md", "Notes, version " + std::to_string(version) + "\n");
  replace(folder / "SKILL.md", text);
}

void SkillFolder::change(std::mt19937 &random) {
  const std::size_t skill = random() % made_;
  ++version_;
  if (random() % 4 == 0)
    fs::remove_all(path_ / names_[skill]);
  else
    write(skill, 500 + random() % maxBytes, version_);
}

} // namespace soak
