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
constexpr std::size_t maxWaiting = 1'000;
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
  std::vector<Answer> waiting;            // guarded by the mutex of Artefacts
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

void Artefacts::make(const std::shared_ptr<const Skill> &skill, Answer answer) {
  if (isTooLarge(*skill)) return answer(tooLarge(*skill));
  std::string key = keyOf(*skill);
  if (auto kept = cache_.get<Artefact>(key)) return answer(ArtefactPointer(std::move(kept)));
  bool isFull = false;
  {
    const std::lock_guard lock(mutex_);
    isFull = waiting_ == maxWaiting;
    if (!isFull) ++waiting_;
  }
  if (isFull)
    return answer(Failure{Fault::RateLimited, "too many requests wait for skills: try again"});
  if (const MakingPointer first = enqueue(skill, std::move(key), std::move(answer))) begin(first);
}

// Returns the artefact to begin with now; null if another one is being made.
Artefacts::MakingPointer Artefacts::enqueue(const std::shared_ptr<const Skill> &skill,
                                            std::string key, Answer answer) {
  const std::lock_guard lock(mutex_);
  const auto same = std::find_if(makings_.begin(), makings_.end(),
                                 [&](const MakingPointer &one) { return one->key == key; });
  if (same != makings_.end()) {
    (*same)->waiting.push_back(std::move(answer));
    return nullptr;
  }
  auto making = std::make_shared<Making>();
  making->key = std::move(key);
  making->skill = skill;
  making->waiting.push_back(std::move(answer));
  makings_.push_back(making);
  return makings_.size() == 1 ? making : nullptr;
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
  if (const auto trouble = making->trouble.copy()) {
    if (trouble->fault == Fault::Stale) library_.refresh();
    return answer(making, *trouble);
  }
  Result<ArtefactPointer> result = Failure{Fault::Internal, "it cannot be made"};
  try {
    result = made(*making);
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
  std::vector<Answer> waiting;
  MakingPointer next;
  {
    const std::lock_guard lock(mutex_);
    waiting = std::exchange(making->waiting, {});
    waiting_ -= waiting.size();
    makings_.pop_front();
    if (!makings_.empty()) next = makings_.front();
  }
  if (result && (*result)->leak.empty()) remember(making->key, (*result)->digest);
  for (const Answer &one : waiting) try {
      one(result);
    } catch (const std::exception &why) { // no memory: the others are answered all the same
      log::failure("server", {"a published skill could not be sent"}, why);
    }
  if (next) begin(next);
}

} // namespace skillhost
