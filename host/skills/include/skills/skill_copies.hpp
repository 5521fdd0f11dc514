// SPDX-License-Identifier: Apache-2.0
// Makes read-only copies of skills that have no folder on this machine, or none that readers may
// use, for a reader who runs their scripts here. The copies lie in a folder of this process alone,
// which is removed when the process ends.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/guarded.hpp"
#include "ground/result.hpp"
#include "skills/catalogue.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace skillhost {

// A copy while it is written. Its files are removed with it, unless it was taken before.
class SkillDraft {
public:
  SkillDraft(std::shared_ptr<const Skill> skill, std::string folder)
      : skill_(std::move(skill)), folder_(std::move(folder)) {}
  ~SkillDraft();
  SkillDraft(const SkillDraft &) = delete;
  SkillDraft &operator=(const SkillDraft &) = delete;

  // Writes one of Skill::files. Call it once for each file. Any thread.
  void write(std::size_t file, const Result<std::string> &bytes);
  bool hasFailed() const;

private:
  friend class SkillCopies;
  Status writeFile(std::size_t file, const std::string &bytes);

  const std::shared_ptr<const Skill> skill_;
  const std::string folder_; // holds one folder, named as that of the skill
  std::atomic<std::uint64_t> bytes_{0};
  Guarded<Status> failed_{Status(Done{})}; // the first failure
};

// Any thread. The processes of one user share the directory. Each locks its folder there, so that
// the next one removes the folders that killed processes have left.
class SkillCopies {
public:
  using SkillPointer = std::shared_ptr<const Skill>;
  // True while the reader who loaded the skill is served exactly what was copied.
  using IsServed = std::function<bool(const std::shared_ptr<const Catalogue> &now)>;

  // With an empty `directory` nothing is copied.
  explicit SkillCopies(std::string directory);
  ~SkillCopies();
  SkillCopies(const SkillCopies &) = delete;
  SkillCopies &operator=(const SkillCopies &) = delete;

  // True if it should be copied: it has no folder for readers, has files and is not too large.
  bool shouldCopy(const Skill &skill) const;
  // Returns the same skill with the folder of its copy, or the skill itself if there is no copy.
  SkillPointer onDisk(const SkillPointer &skill) const;

  // Begins a copy. Never null; pass a draft that has failed already to take() at once.
  std::shared_ptr<SkillDraft> begin(const SkillPointer &skill);
  // Makes the draft the copy of its skill if it is complete. Else shouldCopy() denies the skill for
  // a minute.
  Status take(SkillDraft &draft, IsServed isServed);
  // Removes the copies that are no longer served.
  void keepServed(const std::shared_ptr<const Catalogue> &now);

private:
  struct Copy {
    SkillPointer onDisk; // null: copying failed
    std::uint64_t bytes = 0;
    IsServed isServed;
    std::chrono::steady_clock::time_point tryAgain{};
  };
  struct Own {
    std::string folder; // of this process; empty: not made yet
    Descriptor lock;
    std::size_t drafts = 0;
  };
  Status makeOwn(Own &own) const;

  const std::string directory_;
  Guarded<Own> own_;
  Guarded<std::map<std::string, Copy>> copies_; // by Skill::contentKey
};

} // namespace skillhost
