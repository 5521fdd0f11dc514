// SPDX-License-Identifier: Apache-2.0
// A folder of skills that changes while it is served.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace soak {

class SkillFolder {
public:
  // Makes `made` skills in a temporary folder, and copies those below `corpus` when that is not
  // empty.
  SkillFolder(std::size_t made, const std::string &corpus);
  ~SkillFolder();
  SkillFolder(const SkillFolder &) = delete;
  SkillFolder &operator=(const SkillFolder &) = delete;

  const std::filesystem::path &path() const noexcept { return path_; }
  // Returns the names of the made skills, and the folders' names of the copied ones.
  const std::vector<std::string> &names() const noexcept { return names_; }
  // Rewrites, removes or adds one made skill.
  void change(std::mt19937 &random);

private:
  void write(std::size_t skill, std::size_t bytes, std::size_t version) const;

  std::filesystem::path path_;
  std::vector<std::string> names_;
  std::size_t made_;
  std::size_t version_ = 0;
};

} // namespace soak
