// SPDX-License-Identifier: Apache-2.0
#include "verified.hpp"

#include <algorithm>

namespace skillhost::store_source {

void VerifiedSkills::add(SkillPointer skill) {
  const std::scoped_lock lock(mutex_);
  // Another checksum of the same skill will not be requested again.
  std::erase_if(skills_, [&](const SkillPointer &old) {
    if (old->metadata.name != skill->metadata.name) return false;
    bytes_ -= sizeOf(*old);
    return true;
  });
  bytes_ += sizeOf(*skill);
  skills_.push_front(std::move(skill));
  while (bytes_ > maxBytes_) {
    bytes_ -= sizeOf(*skills_.back());
    skills_.pop_back();
  }
}

SkillPointer VerifiedSkills::find(std::string_view name, std::string_view checksum) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::find_if(skills_.begin(), skills_.end(), [&](const SkillPointer &skill) {
    return skill->checksum == checksum && skill->metadata.name == name;
  });
  if (found == skills_.end()) return nullptr;
  skills_.splice(skills_.begin(), skills_, found);
  return skills_.front();
}

std::size_t VerifiedSkills::sizeOf(const store::LoadedSkill &skill) {
  return sizeof skill + skill.listing.size() + skill.module.size() +
         skill.files.size() * sizeof(store::FileView);
}

} // namespace skillhost::store_source
