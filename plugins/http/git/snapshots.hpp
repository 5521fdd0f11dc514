// SPDX-License-Identifier: Apache-2.0
// The commit that a caller sees: the tree of the skills in the caller's view of the catalogue. The
// same skills give the same commit in every process.
#pragma once

#include "base/cache.hpp"
#include "ground/deadline.hpp"
#include "ground/result.hpp"
#include "objects.hpp"
#include "restless.hpp"
#include "skills/catalogue.hpp"
#include "skills/library.hpp"
#include "steps.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace skillhost::git {

// The ids of a skill's objects. Its texts are read again when they are sent, unless the cache still
// has them.
struct SkillObjects {
  ObjectId tree{};
  std::vector<ObjectId> ids; // with the tree, each once
};

struct SnapshotSkill {
  std::string name;
  std::shared_ptr<const Skill> skill;
  std::shared_ptr<const SkillObjects> objects;
};

struct Snapshot {
  Object commit;
  std::vector<Object> own; // the root, and the files beside the skills
  Object skillsTree;       // empty if there are no skills
  std::vector<SnapshotSkill> skills;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;

// The catalogue as a caller sees it.
struct View {
  std::shared_ptr<const Catalogue> catalogue;
  std::string key;  // differs for different views and catalogues
  std::string mark; // of the rules that the caller satisfies, the same for each catalogue
};

struct SnapshotRules {
  std::string marketplace; // the text of .claude-plugin/marketplace.json
  bool leakedKeys = false; // includes skills that seem to contain a key
  // A snapshot without skills that cannot be read now is made again after this time.
  std::chrono::milliseconds pause = std::chrono::seconds(10);
};

// Returns true if a skill of this name has a folder in the repository: 1 to 64 of a-z, 0-9, "-",
// "_" and ".", which begin with a letter or a digit, and no device of Windows.
bool isFolderName(std::string_view name) noexcept;

// Any thread.
class Snapshots : public std::enable_shared_from_this<Snapshots> {
public:
  using Answer = std::function<void(const Result<SnapshotPointer> &)>;

  // The library and the cache must outlive this object.
  Snapshots(Library &library, Cache &cache, std::shared_ptr<Turns> turns,
            std::shared_ptr<RestlessSkills> restless, SnapshotRules rules);

  // Makes the snapshot, or takes it from memory. Skills that cannot be read now are left out, and
  // the snapshot is then made again for a caller who comes after the pause. A source that does not
  // answer in time is asked for no other skill before. A restless skill has the contents that it
  // had in the latest snapshot for this mark, if they are in the cache; else it is left out. Fails
  // with Stale if another skill has changed since the catalogue was made, and with RateLimited if
  // too many callers wait.
  void make(const View &view, Answer answer);
  // Returns a snapshot that make() has returned for this mark within the last 30 seconds, so that a
  // client can fetch the commit that it was offered just before a change; null if there is none.
  SnapshotPointer offered(const std::string &mark, const ObjectId &commit) const;
  // Returns an earlier snapshot of a view with this mark; null if it is not known.
  SnapshotPointer known(const std::string &mark, const ObjectId &commit) const;

private:
  class Making;
  struct Kept {
    std::string key; // empty: it is not the latest
    std::string mark;
    Deadline retry;   // passes only if the snapshot is incomplete
    Deadline offered; // the time until which offered() returns it
    SnapshotPointer snapshot;
  };

  SnapshotPointer latest() const; // null before the first
  // Returns the skill as it was in the latest snapshot for the mark, if its contents are kept.
  std::optional<SnapshotSkill> lastRead(const std::string &mark, const std::string &id) const;
  SnapshotPointer latestOf(const std::string &key); // null if there is none
  // Returns nothing if the objects are not known, and null if the skill is left out.
  std::optional<std::shared_ptr<const SkillObjects>> objectsOf(const std::string &skillKey) const;
  void remember(const std::string &skillKey, std::shared_ptr<const SkillObjects> objects);
  // Returns true if a skill of this source was not read in time a short while ago.
  bool isStalled(const std::string &source) const;
  void setStalled(const std::string &source);
  SnapshotPointer keep(const View &view, Snapshot snapshot, bool isComplete);
  void answer(const std::string &key, const Result<SnapshotPointer> &result);
  void tellLeftOut(const std::string &id, const std::string &why);

  Library &library_;
  Cache &cache_;
  const std::shared_ptr<Turns> turns_;
  const std::shared_ptr<RestlessSkills> restless_;
  const bool leakedKeys_;
  const std::chrono::milliseconds pause_;
  const std::vector<Object> marketplace_; // of its folder; the last one is the tree

  mutable std::mutex mutex_;                                     // guards the members below
  std::unordered_map<std::string, std::vector<Answer>> waiting_; // by key, while one is made
  std::unordered_map<std::string, std::shared_ptr<const SkillObjects>> objects_; // by skill key
  std::unordered_map<std::string, Deadline> stalled_; // by name of the source
  std::list<Kept> kept_;                              // the latest first
  std::unordered_set<std::string> told_;
};

} // namespace skillhost::git
