// SPDX-License-Identifier: Apache-2.0
// Keeps recently verified skills, so that their files are served without reading and verifying
// everything again. Any thread may use it.
#pragma once

#include "store/version.hpp"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace skillhost::store_source {

using SkillPointer = std::shared_ptr<const store::LoadedSkill>;

class VerifiedSkills {
public:
  // Holds skills of at most `maxBytes`.
  explicit VerifiedSkills(std::size_t maxBytes) : maxBytes_(maxBytes) {}

  void add(SkillPointer skill);
  // Returns nullptr if the skill is not, or no longer, held.
  SkillPointer find(std::string_view name, std::string_view checksum);

private:
  static std::size_t sizeOf(const store::LoadedSkill &skill);

  const std::size_t maxBytes_;
  std::mutex mutex_;
  std::list<SkillPointer> skills_; // most recently used first
  std::size_t bytes_ = 0;
};

} // namespace skillhost::store_source
