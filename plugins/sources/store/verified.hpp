// SPDX-License-Identifier: Apache-2.0
// Skills that were read and verified lately, so that their files are served without reading all of
// them again. Any thread.
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
  // Holds at most that many bytes of skills.
  explicit VerifiedSkills(std::size_t mostBytes) : mostBytes_(mostBytes) {}

  void add(SkillPointer skill);
  // nullptr when it is not, or no longer, here.
  SkillPointer find(std::string_view name, std::string_view checksum);

private:
  static std::size_t sizeOf(const store::LoadedSkill &skill);

  const std::size_t mostBytes_;
  std::mutex mutex_;
  std::list<SkillPointer> skills_; // the one used last at the front
  std::size_t bytes_ = 0;
};

} // namespace skillhost::store_source
