// SPDX-License-Identifier: Apache-2.0
// What skills.lock asks of the sources of this host; without --locked, nothing.
#pragma once

#include "app/configuration.hpp"
#include "plugin/registry.hpp"
#include "skills/skills_lock.hpp"

#include <memory>
#include <optional>
#include <string>

namespace skillhost::app {

class LockedSources {
public:
  // Throws std::runtime_error, with what to do about it, when the lock cannot be read, is damaged
  // or newer, or does not name an enabled source as it is configured.
  explicit LockedSources(const Configuration &configuration);

  // Whether both ask the same of the source of that name.
  bool agrees(const LockedSources &other, const std::string &name) const;
  // Sets the snapshot that the source is to go back to.
  void pin(InstanceConfiguration &source) const;
  // The same source, which hands out nothing but what is locked.
  std::shared_ptr<Source> held(std::shared_ptr<Source> source) const;

private:
  std::string file_;
  std::optional<SkillsLock> lock_; // none: everything is served
};

} // namespace skillhost::app
