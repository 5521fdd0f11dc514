// SPDX-License-Identifier: Apache-2.0
#include "folder_sync.hpp"

#include "ground/descriptor.hpp"
#include "ground/sha256.hpp"
#include "skillmd/front_matter.hpp"
#include "staging_folder.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace skillhost::sync {
namespace {

namespace fs = std::filesystem;
using programs::StagingFolder;

constexpr mode_t plainMode = 0666, programMode = 0777; // reduced by the umask

// Something that a person or another program did in the meantime.
class ChangedMeanwhile : public std::runtime_error {
public:
  ChangedMeanwhile() : std::runtime_error("somebody changed it in the same moment") {}
};

// The source sends other bytes than it has offered.
class StaleBytes : public std::runtime_error {
public:
  explicit StaleBytes(const std::string &path)
      : std::runtime_error("the source sends other bytes of " + path + " than it has announced") {}
};

bool isEntry(std::string_view path) { return path == "SKILL.md" || path.ends_with("/SKILL.md"); }

bool isExecutable(const std::string &path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && (status.st_mode & S_IXUSR) != 0;
}

// Returns the reason why agents would not find the skill under its name; empty if they would.
// Without a name in SKILL.md they take that of the folder.
std::string faultInEntry(const std::string &document, const std::string &name) {
  const FrontMatterResult read = parseFrontMatter(document, "SKILL.md");
  if (!read.frontMatter)
    return "its SKILL.md cannot be read: " +
           (read.findings.empty() ? "" : read.findings[0].message);
  const std::optional<std::string> written = read.frontMatter->text("name");
  return written && *written != name ? otherNameWords(*written) : "";
}

// Returns the reason why the source may still have a skill that it does not offer; empty if the
// skill is gone.
std::string whyKept(const std::string &name, const WrittenSkill &written, const Offer &offer) {
  for (const LeftOut &one : offer.leftOut)
    if (one.mayBe(name, written.uri)) return one.why;
  if (written.uri.empty())
    for (const LeftOut &one : offer.leftOut)
      if (!one.uri.empty()) return "it may be " + one.name + ", which is left out: " + one.why;
  return offer.whyIncomplete;
}

class FolderWork {
public:
  FolderWork(std::string folder, Effect effect, const LockWait &wait)
      : folder_(std::move(folder)), effect_(effect) {
    if (effect == Effect::Apply) {
      std::error_code error;
      fs::create_directories(folder_, error);
      if (error) throw std::runtime_error(folder_ + ": cannot be made: " + error.message());
      lock_ = lockFolder(folder_, wait);
    }
    Result<SyncManifest> manifest = SyncManifest::read(folder_);
    if (!manifest) throw std::runtime_error(manifest.failure().message);
    manifest_ = *std::move(manifest);
  }

  FolderOutcome sync(SkillSource &source, const Offer &offer) {
    origin_ = source.origin(folder_);
    Offered offered;
    for (const OfferedSkill &skill : offer.skills) offered[skill.name] = &skill;
    for (const auto &[name, written] : manifest_.skills)
      if (written.origin == origin_) offered.try_emplace(name, nullptr);
    for (const auto &[name, skill] : offered) {
      const auto found = manifest_.skills.find(name);
      const WrittenSkill *const written =
          found == manifest_.skills.end() ? nullptr : &found->second;
      const std::string why = written != nullptr ? whyKept(name, *written, offer) : std::string();
      plan(name, {written, skill, origin_, why, manifest_.keepsExecutables, folder_});
    }
    if (effect_ == Effect::Apply) carryOut(&source, offered);
    return std::move(outcome_);
  }

  FolderOutcome clear() {
    for (const auto &[name, written] : manifest_.skills)
      plan(name, {&written, nullptr, written.origin, "", manifest_.keepsExecutables, folder_});
    if (effect_ == Effect::Apply) carryOut(nullptr, {});
    return std::move(outcome_);
  }

private:
  using Offered = std::map<std::string, const OfferedSkill *>; // null: offered no more

  void plan(const std::string &name, const SkillFacts &facts) {
    SyncedSkill one;
    one.plan.name = name;
    try {
      one.plan = planSkill(name, lookAtSkill(folder_, name), facts);
      if (writes(one.plan)) one.failure = facts.offered->refusal;
    } catch (const std::exception &why) {
      one.failure = why.what();
    }
    outcome_.skills.push_back(std::move(one));
  }

  void carryOut(SkillSource *source, const Offered &offered) {
    const std::string before = manifest_.text();
    for (const auto &[name, written] : manifest_.skills)
      if (written.next) StagingFolder::removeRemains(pathOf(name)); // of a killed run
    // First the manifest says what may be found after a kill.
    for (const SyncedSkill &one : outcome_.skills)
      if (writes(one.plan) && one.failure.empty())
        manifest_.skills[one.plan.name] = {origin_, one.plan.onDisk.files,
                                           announced(offered.at(one.plan.name)->files),
                                           offered.at(one.plan.name)->uri};
    if (before != manifest_.text()) requireSaved();
    const std::string begun = manifest_.text();
    for (SyncedSkill &one : outcome_.skills) {
      if (!one.failure.empty()) continue;
      try {
        carryOutOne(one.plan, source, offered);
      } catch (const std::exception &why) {
        one.failure = why.what();
        outcome_.isStale = outcome_.isStale || dynamic_cast<const StaleBytes *>(&why) != nullptr;
      }
    }
    if (begun != manifest_.text()) requireSaved();
    keepUris(offered);
  }

  // Adds the URIs of unchanged skills. If the folder is read-only, a later run adds them.
  void keepUris(const Offered &offered) {
    bool isNews = false;
    for (auto &[name, written] : manifest_.skills) {
      const auto found = offered.find(name);
      if (written.origin != origin_ || found == offered.end() || found->second == nullptr) continue;
      isNews = isNews || written.uri != found->second->uri;
      written.uri = found->second->uri;
    }
    if (isNews) (void)manifest_.write(folder_);
  }

  static bool writes(const PlannedSkill &plan) {
    return plan.action == Action::Write || plan.action == Action::Update;
  }

  // Returns the files without what is known only when they are written.
  static FileStates announced(FileStates files) {
    for (auto &[path, file] : files) file.executable.reset();
    return files;
  }

  // Throws if it cannot be done; the entry in the manifest is right in any case.
  void carryOutOne(const PlannedSkill &plan, SkillSource *source, const Offered &offered) {
    switch (plan.action) {
    case Action::Write:
    case Action::Update:
      manifest_.skills[plan.name] = {origin_, write(plan, *source, *offered.at(plan.name)),
                                     std::nullopt, offered.at(plan.name)->uri};
      return;
    case Action::None:
      if (const auto written = manifest_.skills.find(plan.name); written != manifest_.skills.end())
        written->second = {origin_, plan.onDisk.files, std::nullopt, written->second.uri};
      return;
    case Action::Remove:
      remove(plan);
      manifest_.skills.erase(plan.name);
      return;
    case Action::Forget:
      StagingFolder::removeRemains(pathOf(plan.name));
      manifest_.skills.erase(plan.name);
      return;
    case Action::LeftAlone:
    case Action::Taken:
    case Action::KeptUnoffered:
      return;
    }
  }

  // Returns what is there afterwards.
  FileStates write(const PlannedSkill &plan, SkillSource &source, const OfferedSkill &skill) {
    const FileBytes bytes = source.read(skill);
    FileStates files;
    for (const auto &[path, offered] : skill.files) {
      const auto sent = bytes.find(path);
      if (sent == bytes.end() || sha256Hex(sent->second) != offered.digest) throw StaleBytes(path);
      // Nobody has said whether it is a program: as a rule, these lines are found in programs
      // alone.
      files[path] = {offered.digest, offered.executable.value_or(sent->second.starts_with("#!"))};
    }
    if (const std::string wrong = faultInEntry(bytes.at("SKILL.md"), skill.name); !wrong.empty())
      throw std::runtime_error(wrong);
    StagingFolder staging(pathOf(skill.name));
    for (const auto &[path, file] : files)
      if (!isEntry(path)) stage(staging, path, bytes.at(path), file);
    // A reader who looks into hidden folders takes this one for a skill as soon as it has a
    // SKILL.md, so that comes last, and at once with all its bytes. Until then it is in a folder
    // of its own, because the skill may have files of any other name.
    const StagingFolder drafts(pathOf(skill.name));
    for (const auto &[path, file] : files) {
      if (!isEntry(path)) continue;
      stage(drafts, "draft", bytes.at(path), file);
      staging.take(drafts, "draft", path);
    }
    const bool replaces = plan.action == Action::Update;
    if (!staging.putInPlace(replaces, inspection(plan))) throw ChangedMeanwhile();
    return files;
  }

  void stage(const StagingFolder &staging, const std::string &path, const std::string &bytes,
             const FileState &file) {
    staging.write(path, bytes, [] {}, *file.executable ? programMode : plainMode);
    manifest_.keepsExecutables =
        manifest_.keepsExecutables && isExecutable(staging.path() + '/' + path) == *file.executable;
  }

  void remove(const PlannedSkill &plan) {
    StagingFolder staging(pathOf(plan.name));
    staging.takeAway(inspection(plan));
  }

  // Returns a function that throws if the old folder is not as it was planned. Otherwise it removes
  // the old SKILL.md first, so that no reader takes the rest for a skill.
  static StagingFolder::Inspection inspection(const PlannedSkill &plan) {
    return [&plan](const std::string &old) {
      const fs::path path(old);
      const SkillOnDisk now = lookAtSkill(path.parent_path().string(), path.filename().string());
      if (now.kind != plan.onDisk.kind || !now.strange.empty() ||
          !areSameFiles(now.files, plan.onDisk.files, true))
        throw ChangedMeanwhile();
      for (const auto &[file, state] : now.files)
        if (isEntry(file)) removeFile(old, file);
    };
  }

  std::string pathOf(const std::string &name) const { return folder_ + '/' + name; }

  void requireSaved() const {
    if (const Status saved = manifest_.write(folder_); !saved)
      throw std::runtime_error(saved.failure().message);
  }

  const std::string folder_;
  const Effect effect_;
  std::string origin_; // of the source; empty without one
  Descriptor lock_;
  SyncManifest manifest_;
  FolderOutcome outcome_;
};

} // namespace

FolderOutcome syncFolder(const std::string &folder, SkillSource &source, const Offer &offer,
                         Effect effect, const LockWait &wait) {
  return FolderWork(folder, effect, wait).sync(source, offer);
}

FolderOutcome clearFolder(const std::string &folder, Effect effect, const LockWait &wait) {
  std::error_code error;
  if (!fs::exists(folder, error)) return {};
  return FolderWork(folder, effect, wait).clear();
}

} // namespace skillhost::sync
