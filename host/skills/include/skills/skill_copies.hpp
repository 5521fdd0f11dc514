// SPDX-License-Identifier: Apache-2.0
// Read-only copies of skills that have no folder on this machine, or none that readers may use, for
// a reader who runs their scripts here. They lie in a folder of this process alone, which goes when
// it ends.
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

// A copy while it is written. What is written goes with it, unless it was taken by then.
class SkillDraft {
public:
  SkillDraft(std::shared_ptr<const Skill> skill, std::string folder)
      : skill_(std::move(skill)), folder_(std::move(folder)) {}
  ~SkillDraft();
  SkillDraft(const SkillDraft &) = delete;
  SkillDraft &operator=(const SkillDraft &) = delete;

  // Writes one of Skill::files, each once. Any thread.
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

// Any thread. The directory is for the processes of one user: each locks what it has made there,
// so that the next one removes what a process that was killed has left.
class SkillCopies {
public:
  using SkillPointer = std::shared_ptr<const Skill>;
  // True while the one who has loaded the skill is served exactly what was copied.
  using IsServed = std::function<bool(const std::shared_ptr<const Catalogue> &now)>;

  // Empty: nothing is copied.
  explicit SkillCopies(std::string directory);
  ~SkillCopies();
  SkillCopies(const SkillCopies &) = delete;
  SkillCopies &operator=(const SkillCopies &) = delete;

  // True if it should be copied: it has no folder for readers, has files and is not too large.
  bool wants(const Skill &skill) const;
  // The same skill with the folder of its copy; itself while there is none.
  SkillPointer onDisk(const SkillPointer &skill) const;

  // Never null; a draft that has failed already is to be taken at once.
  std::shared_ptr<SkillDraft> begin(const SkillPointer &skill);
  // Makes it the copy of its skill if it is whole. Else the skill is not wanted for a minute.
  Status take(SkillDraft &draft, IsServed isServed);
  // Removes the copies that are not served any more.
  void keepServed(const std::shared_ptr<const Catalogue> &now);

private:
  struct Copy {
    SkillPointer onDisk; // null: it could not be copied
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
