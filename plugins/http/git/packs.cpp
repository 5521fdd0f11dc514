// SPDX-License-Identifier: Apache-2.0
#include "packs.hpp"

#include "kept_objects.hpp"
#include "packets.hpp"
#include "skill_files.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace skillhost::git {
namespace {

std::string cacheKeyOf(const ObjectId &commit) { return "git pack\n" + hexOf(commit); }

void eachId(const Snapshot &snapshot, const std::function<void(const ObjectId &)> &visit) {
  visit(snapshot.commit.id);
  for (const Object &object : snapshot.own) visit(object.id);
  if (!snapshot.skills.empty()) visit(snapshot.skillsTree.id);
  for (const SnapshotSkill &skill : snapshot.skills)
    for (const ObjectId &id : skill.objects->ids) visit(id);
}

} // namespace

bool PackMemory::grow(std::size_t bytes, std::size_t most) noexcept {
  mine_ += bytes;
  return (*all_ += bytes) <= most;
}

Fragments framed(std::string head, const PackPointer &pack, bool sideBand) {
  constexpr char packBand = '\1';
  Fragments body(std::move(head));
  for (const Fragments::Shared &piece : pack->pieces) {
    if (sideBand) body.append(packetLength(piece->size() + 1) + packBand);
    body.append(Fragments::Shared(pack, piece.get()));
  }
  if (sideBand) body.append(flushPacket);
  return body;
}

// Writes one pack, skill by skill.
class Packs::Making final : public Steps {
public:
  Making(std::shared_ptr<Packs> owner, WantedPack wanted)
      : owner_(std::move(owner)), snapshot_(std::move(wanted.snapshot)),
        haves_(std::move(wanted.haves)), takesDeltas_(wanted.takesDeltas),
        memory_(std::make_unique<PackMemory>(owner_->inMemory_)) {}

  // The mutex of Packs guards the calls.
  void wait(std::function<bool()> isGone, Answer answer) {
    waiting_.push_back({std::move(isGone), std::move(answer)});
  }
  void start(Turns::Turn turn) {
    turn_ = std::move(turn);
    run();
  }
  // Answers everybody, and releases the turn.
  void end(const Result<PackPointer> &result) {
    std::vector<Waiting> waiting;
    {
      const std::lock_guard lock(owner_->mutex_);
      waiting.swap(waiting_);
      if (!isClosed_) close(result ? *result : nullptr);
    }
    for (const Waiting &one : waiting) one.answer(result);
    turn_.reset();
  }

protected:
  bool step(const std::function<void()> &next) override {
    if (!writer_) begin();
    if (!failure_ && closeForNobody()) failure_ = Failure{Fault::Cancelled, "the client is gone"};
    while (!failure_ && next_ < snapshot_->skills.size()) {
      const SnapshotSkill &skill = snapshot_->skills[next_++];
      const auto &ids = skill.objects->ids;
      if (std::none_of(ids.begin(), ids.end(),
                       [&](const ObjectId &id) { return missing_.contains(id); }))
        continue;
      if (const SkillContents kept = keptContents(owner_->cache_, skill.objects->tree)) {
        write(*kept);
        continue;
      }
      readFiles(owner_->library_, skill.skill,
                [self = std::static_pointer_cast<Making>(shared_from_this()), &skill,
                 next](Result<std::vector<File>> files) {
                  try {
                    self->take(skill, std::move(files));
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
  void fail(Failure why) override { end(std::move(why)); }

private:
  struct Waiting {
    std::function<bool()> isGone;
    Answer answer;
  };

  // Lets nobody else wait for this pack. The mutex is held.
  void close(const PackPointer &made) {
    isClosed_ = true;
    if (haves_.empty()) owner_->finishWhole(snapshot_->commit.id, made);
  }

  // Returns true if all clients that wait are gone. It then closes the pack under the same lock, so
  // that a client that comes now starts another one.
  bool closeForNobody() {
    const std::lock_guard lock(owner_->mutex_);
    if (!std::all_of(waiting_.begin(), waiting_.end(),
                     [](const Waiting &one) { return one.isGone && one.isGone(); }))
      return false;
    close(nullptr);
    return true;
  }

  // Writes everything but the skills.
  void begin() {
    eachId(*snapshot_, [&](const ObjectId &id) { missing_.insert(id); });
    for (const SnapshotPointer &had : haves_)
      eachId(*had, [&](const ObjectId &id) { missing_.erase(id); });
    writer_.emplace(static_cast<std::uint32_t>(missing_.size()));
    write(snapshot_->commit);
    for (const Object &object : snapshot_->own) write(object);
    if (snapshot_->skills.empty()) return;
    const Object &tree = snapshot_->skillsTree;
    const auto base = std::find_if(haves_.begin(), haves_.end(),
                                   [](const auto &had) { return !had->skills.empty(); });
    if (!takesDeltas_ || base == haves_.end()) return write(tree);
    if (missing_.erase(tree.id) != 0)
      writer_->addDifference((*base)->skillsTree.id, (*base)->skillsTree.content, tree.content);
  }
  void write(const Object &object) {
    if (missing_.erase(object.id) != 0) writer_->add(object.type, object.content);
  }

  void take(const SnapshotSkill &skill, Result<std::vector<File>> files) {
    if (!files) {
      failure_ = std::move(files).failure();
    } else {
      const std::vector<Object> objects = makeFolder(*std::move(files));
      if (objects.back().id == skill.objects->tree) return write(objects);
      failure_ = Failure{Fault::Stale, skill.skill->id + " has changed"};
    }
    if (failure_->fault == Fault::Stale) noteStale(skill);
  }
  void noteStale(const SnapshotSkill &skill) {
    const std::shared_ptr<const Catalogue> now = owner_->library_.catalogue();
    const CatalogueEntry *const entry = now->byId(skill.skill->id);
    const bool isEarlier = entry == nullptr || entry->skill != skill.skill;
    owner_->restless_->noteStale(skill.skill->id,
                                 isEarlier ? std::optional(skill.objects->tree) : std::nullopt);
  }
  void write(const std::vector<Object> &objects) {
    const std::size_t before = writer_->bytes();
    for (const Object &object : objects) write(object);
    if (!memory_->grow(writer_->bytes() - before, owner_->mostBytes_))
      failure_ = Failure{Fault::RateLimited, "the server sends too much at once: try again later"};
  }

  void finish() {
    if (failure_) return end(*std::move(failure_));
    auto pack = std::make_shared<Pack>();
    pack->pieces = writer_->finish();
    pack->bytes = writer_->bytes();
    pack->memory = std::move(memory_);
    writer_.reset();
    end(PackPointer(std::move(pack)));
  }

  const std::shared_ptr<Packs> owner_;
  const SnapshotPointer snapshot_;
  const std::vector<SnapshotPointer> haves_;
  const bool takesDeltas_;
  std::unique_ptr<PackMemory> memory_;
  std::vector<Waiting> waiting_; // guarded by the mutex of Packs
  bool isClosed_ = false;        // likewise
  Turns::Turn turn_;
  std::optional<PackWriter> writer_;
  ObjectIds missing_; // to be written
  std::size_t next_ = 0;
  std::optional<Failure> failure_;
};

void Packs::make(WantedPack wanted, Answer answer) {
  const bool isWhole = wanted.haves.empty();
  const ObjectId commit = wanted.snapshot->commit.id;
  if (isWhole)
    if (const PackPointer made = wholeOf(commit)) return answer(made);
  std::shared_ptr<Making> making;
  {
    auto isGone = std::move(wanted.isGone);
    auto fresh = std::make_shared<Making>(shared_from_this(), std::move(wanted));
    const std::lock_guard lock(mutex_);
    if (isWhole && wholes_[commit].making)
      return wholes_[commit].making->wait(std::move(isGone), std::move(answer));
    making = std::move(fresh);
    making->wait(std::move(isGone), std::move(answer));
    if (isWhole) wholes_[commit].making = making;
  }
  const bool isTaken = turns_->take([making](Turns::Turn turn) { making->start(std::move(turn)); });
  if (!isTaken) making->end(Failure{Fault::RateLimited, "too many clients wait: try again"});
}

PackPointer Packs::wholeOf(const ObjectId &commit) {
  if (auto kept = cache_.get<Pack>(cacheKeyOf(commit))) return kept;
  const std::lock_guard lock(mutex_);
  const auto found = wholes_.find(commit);
  return found == wholes_.end() ? nullptr : found->second.made.lock();
}

// The mutex is held.
void Packs::finishWhole(const ObjectId &commit, const PackPointer &made) {
  std::erase_if(wholes_,
                [](const auto &one) { return !one.second.making && one.second.made.expired(); });
  if (!made) {
    wholes_.erase(commit);
    return;
  }
  wholes_[commit] = {made, nullptr};
  // The cache is for small answers: a pack gets a quarter of it at most.
  if (made->bytes <= cache_.statistics().maxBytes / 4)
    cache_.put(cacheKeyOf(commit), made, sizeof(Pack) + made->bytes);
}

} // namespace skillhost::git
