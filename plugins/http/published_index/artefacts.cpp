// SPDX-License-Identifier: Apache-2.0
#include "artefacts.hpp"

#include "archive/packed.hpp"
#include "base/log.hpp"
#include "ground/guarded.hpp"
#include "ground/sha256.hpp"
#include "skillcheck/leaked_keys.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxFiles = 512;
constexpr std::size_t maxBytes = std::size_t{16} << 20U;
constexpr std::size_t maxDigests = 50'000;
constexpr std::chrono::seconds readingLimit{30};

// Returns a key that changes whenever the bytes may have changed.
std::string keyOf(const Skill &skill) {
  std::string all = skill.id;
  for (std::size_t i = 0; i < skill.files.size(); ++i)
    all += '\0' + skill.filePaths[i] + '\0' + skill.files[i].revision +
           (skill.files[i].executable ? "\nx" : "\n");
  return "published\n" + sha256Hex(all);
}

bool isTooLarge(const Skill &skill) {
  std::uint64_t bytes = 0;
  for (const Document &file : skill.files)
    if (file.length != UINT64_MAX) bytes += file.length;
  return skill.files.size() > maxFiles || bytes > maxBytes;
}

Failure tooLarge(const Skill &skill) {
  return {Fault::TooLarge, skill.id + " has more than 512 files or 16 MiB"};
}

// Returns the first key that the files seem to contain, with its place; empty if there is none.
std::string firstLeak(const Skill &skill, const std::vector<archive::PackedFile> &files) {
  for (const archive::PackedFile &file : files)
    if (std::string leak = firstLeakedKey(file.bytes, skill.id + '/' + file.path); !leak.empty())
      return leak;
  return {};
}

} // namespace

struct Artefacts::Making {
  std::string key;
  std::shared_ptr<const Skill> skill;
  // Both are guarded by the mutex of Artefacts.
  std::vector<std::pair<std::string, Answer>> waiting; // by caller
  bool hasBegun = false;
  std::vector<archive::PackedFile> files; // each written by one thread
  std::atomic<std::size_t> bytes{0};
  Guarded<std::optional<Failure>> trouble;
};

bool isDocument(const Skill &skill) { return skill.files.size() == 1; }

std::string Artefacts::digestOf(const Skill &skill) const {
  const std::string key = keyOf(skill);
  const std::lock_guard lock(mutex_);
  const auto known = digests_.find(key);
  return known == digests_.end() ? std::string() : known->second;
}

void Artefacts::make(const std::shared_ptr<const Skill> &skill, const std::string &whose,
                     Answer answer) {
  if (isTooLarge(*skill)) return answer(tooLarge(*skill));
  const std::string key = keyOf(*skill);
  if (auto kept = cache_.get<Artefact>(key)) return answer(ArtefactPointer(std::move(kept)));
  if (!enqueue(skill, whose, key, answer))
    return answer(Failure{Fault::RateLimited, "too many requests wait for skills: try again"});
  beginNext();
}

// Returns false if too many requests wait.
bool Artefacts::enqueue(const std::shared_ptr<const Skill> &skill, const std::string &whose,
                        const std::string &key, const Answer &answer) {
  const std::lock_guard lock(mutex_);
  const auto own = waiting_.find(whose);
  if (allWaiting_ >= maxWaiting || (own != waiting_.end() && own->second >= maxWaitingOfOne))
    return false;
  const auto same = makings_.find(key);
  const MakingPointer making = same != makings_.end() ? same->second : std::make_shared<Making>();
  if (same == makings_.end()) {
    making->key = key;
    making->skill = skill;
  }
  // A making that waits in another caller's line is also in this one's, so that its turn comes
  // with the first of them.
  if (!making->hasBegun) lines_.add(whose, making);
  if (same == makings_.end()) makings_.emplace(key, making);
  std::size_t &count = waiting_[whose];
  making->waiting.emplace_back(whose, answer);
  ++count;
  ++allWaiting_;
  return true;
}

// Begins with the making whose turn it is, unless one is being made.
void Artefacts::beginNext() {
  MakingPointer next;
  {
    const std::lock_guard lock(mutex_);
    if (isMaking_) return;
    while (!next && !lines_.empty()) {
      next = *lines_.take();
      if (std::exchange(next->hasBegun, true)) next = nullptr; // by its place in another line
    }
    isMaking_ = next != nullptr;
  }
  if (next) begin(next);
}

void Artefacts::begin(const MakingPointer &making) {
  try {
    read(making);
  } catch (const std::exception &why) {
    log::failure("server", {"a published skill could not be read"}, why);
    answer(making, Failure{Fault::MemoryPressure, "no memory"});
  }
}

void Artefacts::read(const MakingPointer &making) {
  const Skill &skill = *making->skill;
  making->files.resize(skill.files.size());
  for (std::size_t i = 0; i < skill.files.size(); ++i) {
    const bool isEntry = skill.files[i].entry && skill.files[i].skill == skill.path;
    making->files[i].path = isEntry ? "SKILL.md" : skill.filePaths[i];
    making->files[i].executable = skill.files[i].executable;
  }
  const std::shared_ptr<Source> source = library_.source(skill.source);
  if (!source) {
    making->trouble.with([&](auto &failure) {
      failure = Failure{Fault::Unavailable, "the source " + skill.source + " is gone"};
    });
    return finish(making);
  }
  CallOptions options;
  options.deadline = Deadline::after(readingLimit);
  source->readEach(
      options, skill.files, maxBytes,
      [making](std::size_t file, Result<std::string> bytes) {
        if (bytes && making->bytes.fetch_add(bytes->size()) + bytes->size() <= maxBytes)
          making->files[file].bytes = *std::move(bytes);
        else
          making->trouble.with([&](auto &failure) {
            if (!failure) failure = bytes ? tooLarge(*making->skill) : bytes.failure();
          });
      },
      [self = shared_from_this(), making] { self->finish(making); });
}

void Artefacts::finish(const MakingPointer &making) {
  Result<ArtefactPointer> result = Failure{Fault::MemoryPressure, "no memory"};
  try {
    if (auto trouble = making->trouble.copy()) {
      if (trouble->fault == Fault::Stale) library_.refresh();
      result = *std::move(trouble);
    } else {
      result = made(*making);
    }
  } catch (const std::exception &why) {
    log::failure("server", {making->skill->id, " could not be published"}, why);
  }
  answer(making, result);
}

ArtefactPointer Artefacts::made(Making &making) {
  auto artefact = std::make_shared<Artefact>();
  if (keys_ == LeakedKeys::Refuse) artefact->leak = firstLeak(*making.skill, making.files);
  if (!artefact->leak.empty()) {
    cache_.put(making.key, artefact, sizeof(Artefact) + artefact->leak.size());
    return artefact;
  }
  artefact->bytes = std::make_shared<const std::string>(isDocument(*making.skill)
                                                            ? std::move(making.files.front().bytes)
                                                            : archive::writePacked(making.files));
  artefact->digest = sha256Hex(*artefact->bytes);
  cache_.put(making.key, artefact, sizeof(Artefact) + artefact->bytes->size());
  return artefact;
}

// The digest spares the next listing the making; without memory it is made again.
void Artefacts::remember(const std::string &key, const std::string &digest) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (digests_.size() == maxDigests) digests_.clear();
    digests_[key] = digest;
  } catch (const std::bad_alloc &) {
    return;
  }
}

void Artefacts::answer(const MakingPointer &making, const Result<ArtefactPointer> &result) {
  making->files.clear();
  decltype(making->waiting) waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting = std::exchange(making->waiting, {});
    allWaiting_ -= waiting.size();
    for (const auto &[whose, one] : waiting)
      if (const auto own = waiting_.find(whose); --own->second == 0) waiting_.erase(own);
    makings_.erase(making->key);
    isMaking_ = false;
  }
  if (result && (*result)->leak.empty()) remember(making->key, (*result)->digest);
  for (const auto &[whose, one] : waiting) try {
      one(result);
    } catch (const std::exception &why) { // no memory: the others are answered all the same
      log::failure("server", {"a published skill could not be sent"}, why);
    }
  beginNext();
}

} // namespace skillhost
