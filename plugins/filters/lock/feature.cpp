// SPDX-License-Identifier: Apache-2.0
// The filter `lock` serves only what skills.lock names, compared byte by byte. Without --locked it
// serves everything.
#include "app/source_filter.hpp"
#include "ground/sha256.hpp"
#include "lock/locked_source.hpp"
#include "lock/skills_lock.hpp"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::string_view lockedKey = "locked", fileKey = "skills_lock";
constexpr const char *advice = "; run skillhost lock to accept the sources as they are now";

void refuseToStart(const std::string &why) { throw std::runtime_error("locked: " + why + advice); }

std::string lockFile(const Configuration &configuration) {
  return configuration.features.textIfAny(fileKey).value_or("");
}

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
  if (!configuration.features.flag(lockedKey)) return;
  file_ = lockFile(configuration);
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

// A pipe was already read at the start, and a running server would wait for it, so only a regular
// file is accepted.
void checkRegular(const Configuration &configuration) {
  const std::string file = lockFile(configuration);
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_regular_file(status)) return;
  const auto place = configuration.places.find(std::string(lockedKey));
  throw std::runtime_error(
      (place == configuration.places.end() ? "" : place->second + ": ") + "locked: " + file +
      (std::filesystem::exists(status) ? ": is no regular file" : ": is not there") +
      "; write it with skillhost lock");
}

class LockFilter final : public SourceFilter {
public:
  std::shared_ptr<const SourceWrapper> wrapper(const Configuration &configuration) override {
    const bool isFirst = !hasBegun_.exchange(true);
    if (!isFirst && configuration.features.flag(lockedKey)) checkRegular(configuration);
    return std::make_shared<const LockedSources>(configuration);
  }
  Json searchMark(const Configuration &configuration) const override {
    const bool isLocked = configuration.features.flag(lockedKey);
    return {isLocked, isLocked ? lockFile(configuration) : ""};
  }

private:
  std::atomic<bool> hasBegun_ = false;
};

} // namespace

FilterKind lockFilter() {
  return {"lock", [](const Configuration & /*configuration*/, const ShareState & /*share*/) {
            return std::make_shared<LockFilter>();
          }};
}

} // namespace skillhost::app
