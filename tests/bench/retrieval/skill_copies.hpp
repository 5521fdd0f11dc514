// SPDX-License-Identifier: Apache-2.0
// Any number of skills made from those of a folder: copies have another name, and their sentences
// in another order.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace skillhost::retrieval {

struct Skill {
  std::string id, name, description, body;
};

class SkillCopies {
public:
  // Reads every SKILL.md below. Throws std::runtime_error when there is none.
  explicit SkillCopies(const std::filesystem::path &folder);
  // Returns the same skill for the same number. The body has about `bodyBytes`, from as many skills
  // as needed.
  Skill skill(std::size_t number, std::size_t bodyBytes) const;
  // Returns `count` words that follow one another somewhere in the skills.
  std::string words(std::size_t number, std::size_t count) const;

private:
  std::vector<Skill> originals_;
};

} // namespace skillhost::retrieval
