// SPDX-License-Identifier: Apache-2.0
#include "snapshots.hpp"

#include "base/log.hpp"
#include "kept_objects.hpp"
#include "skill_files.hpp"
#include "skillcheck/leaked_keys.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

namespace skillhost::git {
namespace {

constexpr std::size_t maxKnownSkills = 100'000;
// All snapshots together: some 100 bytes for each skill of each.
constexpr std::size_t maxKeptSkills = 400'000, maxKept = 1'000;
constexpr std::size_t maxTold = 10'000;
constexpr std::chrono::seconds offerSpan{30}; // the time that a client has between its requests

bool isLetterOrDigit(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::shared_ptr<const SkillObjects> idsOf(const std::vector<Object> &objects) {
  auto ids = std::make_shared<SkillObjects>();
  ids->tree = objects.back().id;
  ids->ids.reserve(objects.size());
  for (const Object &object : objects) ids->ids.push_back(object.id);
  return ids;
}

} // namespace

bool isFolderName(std::string_view name) noexcept {
  constexpr std::size_t longest = 64;
  return !name.empty() && name.size() <= longest && isLetterOrDigit(name.front()) &&
         std::all_of(
             name.begin(), name.end(),
             [](char c) { return isLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; }) &&
         isSafePath(name);
}

// Makes one snapshot, skill by skill.
class Snapshots::Making final : public Steps {
public:
  Making(std::shared_ptr<Snapshots> owner, View view, Turns::Turn turn)
      : owner_(std::move(owner)), view_(std::move(view)), turn_(std::move(turn)) {
    latest_ = owner_->latest();
    if (latest_)
      for (const SnapshotSkill &skill : latest_->skills)
        before_.emplace(skill.skill.get(), skill.objects);
    const auto whole = owner_->library_.catalogue();
    for (const SourceStatus &source : whole->sources())
      if (source.state() == "failed" && !source.isAbsent)
        owner_->tellLeftOut("all skills of " + source.name + ", for now", source.failure);
    for (const CatalogueEntry &entry : view_.catalogue->entries()) {
      if (!entry.listed) continue;
      if (!isFolderName(entry.name))
        owner_->tellLeftOut(entry.skill->id,
                            "\"" + entry.name + "\" cannot be the name of a folder there");
      else
        entries_.push_back(&entry);
    }
  }

protected:
  bool step(const std::function<void()> &next) override {
    while (next_ < entries_.size()) {
      const CatalogueEntry &entry = *entries_[next_++];
      if (owner_->restless_->contains(entry.skill->id)) {
        addLastRead(entry);
        continue;
      }
      // Catalogues share the skills that have not changed.
      if (const auto same = before_.find(entry.skill.get()); same != before_.end()) {
        add(entry, same->second);
        continue;
      }
      const std::string key = keyOf(*entry.skill);
      if (auto known = owner_->objectsOf(key)) {
        add(entry, *std::move(known));
        continue;
      }
      if (owner_->isStalled(entry.skill->source)) {
        isComplete_ = false;
        continue;
      }
      readFiles(owner_->library_, entry.skill,
                [self = std::static_pointer_cast<Making>(shared_from_this()), &entry, key,
                 next](Result<std::vector<File>> files) {
                  try {
                    self->take(entry, key, std::move(files));
                  } catch (const std::exception &why) {
                    self->failure_ = failureOf(why);
                  }
                  next();
                });
      return true;
    }
    finish();
    return false;
  }
  void fail(Failure why) override {
    owner_->answer(view_.key, Result<SnapshotPointer>(std::move(why)));
    turn_.reset();
  }

private:
  void add(const CatalogueEntry &entry, std::shared_ptr<const SkillObjects> objects) {
    if (objects) snapshot_.skills.push_back({entry.name, entry.skill, std::move(objects)});
  }

  void addLastRead(const CatalogueEntry &entry) {
    isComplete_ = false;
    if (auto last = owner_->lastRead(view_.mark, entry.skill->id)) {
      last->name = entry.name;
      snapshot_.skills.push_back(*std::move(last));
    } else {
      owner_->tellLeftOut(entry.skill->id + ", for now", "it changes faster than it can be read");
    }
  }

  // Keeps the contents, because the skill may change again before a client fetches them. The first
  // skills of a snapshot get a part of the cache at most; later snapshots read only what has
  // changed.
  void keepForFetch(std::vector<Object> objects) {
    keptBytes_ += bytesOf(objects);
    if (keptBytes_ <= owner_->cache_.statistics().maxBytes / 8)
      keepContents(owner_->cache_, std::make_shared<const std::vector<Object>>(std::move(objects)));
  }

  void take(const CatalogueEntry &entry, const std::string &key, Result<std::vector<File>> files) {
    const Skill &skill = *entry.skill;
    if (files) {
      if (const std::string why = refusalOf(skill, *files); !why.empty()) {
        owner_->tellLeftOut(skill.id, why);
        return owner_->remember(key, nullptr);
      }
      if (const std::string path = unsafeFileOf(skill); !path.empty())
        owner_->tellLeftOut(skill.id + '/' + path, "git does not allow this path on every system");
      std::vector<Object> made = makeFolder(*std::move(files));
      auto objects = idsOf(made);
      keepForFetch(std::move(made));
      owner_->remember(key, objects);
      return add(entry, std::move(objects));
    }
    const Failure &why = files.failure();
    if (why.fault == Fault::Stale) {
      // The others are read nevertheless, so that the next try knows all restless skills.
      if (owner_->restless_->noteStale(skill.id))
        addLastRead(entry);
      else
        failure_ = why;
    } else if (why.fault == Fault::Cancelled) {
      failure_ = why;
      next_ = entries_.size();
    } else if (why.fault == Fault::TooLarge) {
      owner_->tellLeftOut(skill.id, why.message);
      owner_->remember(key, nullptr);
    } else {
      isComplete_ = false;
      owner_->tellLeftOut(skill.id + ", for now", why.message);
      if (why.fault == Fault::ToolTimeout) owner_->setStalled(skill.source);
    }
  }

  // Says why nobody gets the skill; empty if there is no reason.
  std::string refusalOf(const Skill &skill, const std::vector<File> &files) const {
    if (const std::string twin = collidingFileOf(files); !twin.empty())
      return twin + " differs from another file only in case or Unicode form";
    if (owner_->leakedKeys_) return {};
    for (const File &file : files)
      if (const std::string leak = firstLeakedKey(file.bytes, skill.id + '/' + file.path);
          !leak.empty())
        return "unless http.git_leaked_keys is true: " + leak;
    return {};
  }

  void finish() {
    if (failure_) return fail(*std::move(failure_));
    std::vector<TreeEntry> skills;
    skills.reserve(snapshot_.skills.size());
    for (const SnapshotSkill &skill : snapshot_.skills)
      skills.push_back({skill.name, Mode::Folder, skill.objects->tree});
    snapshot_.own = owner_->marketplace_;
    std::vector<TreeEntry> root{{".claude-plugin", Mode::Folder, owner_->marketplace_.back().id}};
    if (!skills.empty()) {
      snapshot_.skillsTree = makeTree(std::move(skills));
      root.push_back({"skills", Mode::Folder, snapshot_.skillsTree.id});
    }
    snapshot_.own.push_back(makeTree(std::move(root)));
    snapshot_.commit = makeCommit(snapshot_.own.back().id);
    const SnapshotPointer made = owner_->keep(view_, std::move(snapshot_), isComplete_);
    owner_->answer(view_.key, made);
    turn_.reset();
  }

  const std::shared_ptr<Snapshots> owner_;
  const View view_; // owns the entries
  Turns::Turn turn_;
  SnapshotPointer latest_; // owns the skills of before_
  std::unordered_map<const Skill *, std::shared_ptr<const SkillObjects>> before_;
  std::vector<const CatalogueEntry *> entries_;
  std::size_t next_ = 0;
  Snapshot snapshot_;
  std::size_t keptBytes_ = 0;
  bool isComplete_ = true;
  std::optional<Failure> failure_;
};

Snapshots::Snapshots(Library &library, Cache &cache, std::shared_ptr<Turns> turns,
                     std::shared_ptr<RestlessSkills> restless, SnapshotRules rules)
    : library_(library), cache_(cache), turns_(std::move(turns)), restless_(std::move(restless)),
      leakedKeys_(rules.leakedKeys), pause_(rules.pause),
      marketplace_(makeFolder({{"marketplace.json", std::move(rules.marketplace), false}})) {}

void Snapshots::make(const View &view, Answer answerOne) {
  if (const SnapshotPointer latest = latestOf(view.key)) return answerOne(latest);
  {
    const std::lock_guard lock(mutex_);
    auto [waiting, isFirst] = waiting_.try_emplace(view.key);
    waiting->second.push_back(std::move(answerOne));
    if (!isFirst) return;
  }
  const bool isTaken = turns_->take([self = shared_from_this(), view](Turns::Turn turn) {
    try {
      std::make_shared<Making>(self, view, std::move(turn))->run();
    } catch (const std::exception &why) {
      self->answer(view.key, failureOf(why));
    }
  });
  if (!isTaken) answer(view.key, Failure{Fault::RateLimited, "too many clients wait: try again"});
}

SnapshotPointer Snapshots::latestOf(const std::string &key) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept &one) { return one.key == key; });
  if (found == kept_.end() || found->retry.passed()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  found->offered = Deadline::after(offerSpan);
  return found->snapshot;
}

SnapshotPointer Snapshots::offered(const std::string &mark, const ObjectId &commit) const {
  const std::lock_guard lock(mutex_);
  for (const Kept &one : kept_)
    if (one.mark == mark && one.snapshot->commit.id == commit)
      return one.offered.passed() ? nullptr : one.snapshot;
  return nullptr;
}

std::optional<SnapshotSkill> Snapshots::lastRead(const std::string &mark,
                                                 const std::string &id) const {
  const std::lock_guard lock(mutex_);
  const auto last =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept &one) { return one.mark == mark; });
  if (last == kept_.end()) return std::nullopt;
  for (const SnapshotSkill &one : last->snapshot->skills)
    if (one.skill->id == id && keptContents(cache_, one.objects->tree)) return one;
  return std::nullopt;
}

SnapshotPointer Snapshots::known(const std::string &mark, const ObjectId &commit) const {
  const std::lock_guard lock(mutex_);
  for (const Kept &one : kept_)
    if (one.mark == mark && one.snapshot->commit.id == commit) return one.snapshot;
  return nullptr;
}

SnapshotPointer Snapshots::latest() const {
  const std::lock_guard lock(mutex_);
  return kept_.empty() ? nullptr : kept_.front().snapshot;
}

std::optional<std::shared_ptr<const SkillObjects>>
Snapshots::objectsOf(const std::string &skillKey) const {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(skillKey);
  if (found == objects_.end()) return std::nullopt;
  return found->second;
}

void Snapshots::remember(const std::string &skillKey, std::shared_ptr<const SkillObjects> objects) {
  const std::lock_guard lock(mutex_);
  if (objects_.size() >= maxKnownSkills) objects_.clear();
  objects_[skillKey] = std::move(objects);
}

bool Snapshots::isStalled(const std::string &source) const {
  const std::lock_guard lock(mutex_);
  const auto found = stalled_.find(source);
  return found != stalled_.end() && !found->second.passed();
}

void Snapshots::setStalled(const std::string &source) {
  const std::lock_guard lock(mutex_);
  std::erase_if(stalled_, [](const auto &one) { return one.second.passed(); });
  stalled_.insert_or_assign(source, Deadline::after(pause_));
}

SnapshotPointer Snapshots::keep(const View &view, Snapshot snapshot, bool isComplete) {
  const std::lock_guard lock(mutex_);
  // An earlier snapshot of the same commit has revisions of files that the source may have no more.
  for (auto one = kept_.begin(); one != kept_.end();) {
    if (one->mark == view.mark) one->key.clear();
    const bool isSame = one->mark == view.mark && one->snapshot->commit.id == snapshot.commit.id;
    one = isSame ? kept_.erase(one) : std::next(one);
  }
  const auto made = std::make_shared<const Snapshot>(std::move(snapshot));
  kept_.push_front({view.key, view.mark, isComplete ? Deadline::never() : Deadline::after(pause_),
                    Deadline::after(offerSpan), made});
  std::size_t skills = 0, count = 0;
  for (auto one = kept_.begin(); one != kept_.end();) {
    skills += one->snapshot->skills.size();
    ++count;
    const bool fits = count == 1 || (skills <= maxKeptSkills && count <= maxKept);
    one = fits ? std::next(one) : kept_.erase(one);
  }
  return made;
}

void Snapshots::answer(const std::string &key, const Result<SnapshotPointer> &result) {
  std::vector<Answer> waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(key);
    if (found == waiting_.end()) return;
    waiting = std::move(found->second);
    waiting_.erase(found);
  }
  for (const Answer &one : waiting) one(result);
}

void Snapshots::tellLeftOut(const std::string &id, const std::string &why) {
  {
    const std::lock_guard lock(mutex_);
    if (told_.size() >= maxTold) told_.clear();
    if (!told_.insert(id + '\n' + why).second) return;
  }
  log::warning("server", "left out of the git repository: " + id + ": " + why);
}

} // namespace skillhost::git
