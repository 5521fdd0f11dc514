// SPDX-License-Identifier: Apache-2.0
// The filter `lock` serves only what skills.lock names, compared byte by byte. Without --locked it
// serves everything.
#include "app/source_filter.hpp"
#include "ground/sha256.hpp"
#include "lock/locked_source.hpp"
#include "lock/skills_lock.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace skillhost::app {
namespace {

constexpr const char *advice = "; run skillhost lock to accept the sources as they are now";

void refuseToStart(const std::string &why) { throw std::runtime_error("locked: " + why + advice); }

class LockedSources final : public SourceWrapper {
public:
  // Throws std::runtime_error that says what to do, if the lock cannot be read, is damaged or has a
  // newer version, or if it does not name an enabled source or names another plugin for it.
  explicit LockedSources(const Configuration &configuration);

  // Returns the snapshot that the source has to go back to; nothing if there is none.
  std::optional<SourcePin> pin(const std::string &source) const override;
  // Returns a source that serves only what is locked; the same source without a lock.
  std::shared_ptr<Source> wrap(std::shared_ptr<Source> source) const override;
  std::string mark(const std::string &source) const override;

private:
  std::string file_;
  std::optional<SkillsLock> lock_; // without a value everything is served
};

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

std::optional<SourcePin> LockedSources::pin(const std::string &source) const {
  if (!lock_) return std::nullopt;
  const std::string &snapshot = lock_->sources.at(source).snapshot;
  if (snapshot.empty()) return std::nullopt;
  return SourcePin{SourcePin::Mode::Snapshot, snapshot};
}

std::shared_ptr<Source> LockedSources::wrap(std::shared_ptr<Source> source) const {
  if (!lock_) return source;
  const SourceLock &lock = lock_->sources.at(source->name());
  // Readers see its messages, and must not learn paths of this machine, so only the name of the
  // file is passed on.
  return std::make_shared<LockedSource>(std::move(source), lock,
                                        std::filesystem::path(file_).filename().string());
}

std::string LockedSources::mark(const std::string &source) const {
  if (!lock_) return {};
  SkillsLock alone;
  if (const auto found = lock_->sources.find(source); found != lock_->sources.end())
    alone.sources.insert(*found);
  return sha256Hex(alone.text());
}

class LockFilter final : public SourceFilter {
public:
  explicit LockFilter(const Configuration &configuration)
      : searchMark_(configuration.locked ? configuration.skillsLock.value_or("") : "") {}

  std::string searchMark() const override { return searchMark_; }
  std::shared_ptr<const SourceWrapper> wrapper(const Configuration &configuration) override {
    return std::make_shared<const LockedSources>(configuration);
  }

private:
  const std::string searchMark_;
};

} // namespace

FilterKind lockFilter() {
  return {"lock", [](const Configuration &configuration, const ShareState & /*share*/) {
            return std::make_shared<LockFilter>(configuration);
          }};
}

} // namespace skillhost::app
