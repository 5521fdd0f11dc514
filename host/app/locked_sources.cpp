// SPDX-License-Identifier: Apache-2.0
#include "locked_sources.hpp"

#include "skills/locked_source.hpp"

#include <filesystem>
#include <stdexcept>

namespace skillhost::app {
namespace {

constexpr const char *advice = "; run skillhost lock to accept the sources as they are now";

void refuseToStart(const std::string &why) { throw std::runtime_error("locked: " + why + advice); }

} // namespace

LockedSources::LockedSources(const Configuration &configuration) {
  if (!configuration.locked) return;
  file_ = configuration.skillsLock.value_or("");
  Result<SkillsLock> lock = SkillsLock::read(file_);
  if (!lock) throw std::runtime_error("locked: " + lock.failure().message);
  for (const SourceConfiguration &source : configuration.sources) {
    if (!source.enabled) continue;
    const auto found = lock->sources.find(source.name);
    if (found == lock->sources.end())
      refuseToStart(file_ + " does not name the source \"" + source.name + '"');
    else if (found->second.plugin != pluginName(source.plugin))
      refuseToStart("the plugin of the source \"" + source.name + "\" is " +
                    pluginName(source.plugin) + ", and " + file_ + " says " + found->second.plugin);
  }
  lock_ = *std::move(lock);
}

bool LockedSources::agrees(const LockedSources &other, const std::string &name) const {
  if (!lock_ || !other.lock_) return !lock_ && !other.lock_;
  const auto own = lock_->sources.find(name), others = other.lock_->sources.find(name);
  return own != lock_->sources.end() && others != other.lock_->sources.end() &&
         own->second == others->second;
}

void LockedSources::pin(InstanceConfiguration &source) const {
  if (!lock_) return;
  const std::string &snapshot = lock_->sources.at(source.name).snapshot;
  if (!snapshot.empty()) source.pin = {SourcePin::Mode::Snapshot, snapshot};
}

std::shared_ptr<Source> LockedSources::held(std::shared_ptr<Source> source) const {
  if (!lock_) return source;
  const SourceLock &lock = lock_->sources.at(source->name());
  // Its words reach readers, who are not told paths of this machine.
  return std::make_shared<LockedSource>(std::move(source), lock,
                                        std::filesystem::path(file_).filename().string());
}

} // namespace skillhost::app
