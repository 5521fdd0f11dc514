// SPDX-License-Identifier: Apache-2.0
// The published form of a skill: its SKILL.md if that is its only file, or all of its files as a
// .tar.gz. It is made on request, one after the other, and kept in the cache of the host. Callers
// take turns, so that one who wants many skills does not delay the others.
#pragma once

#include "base/cache.hpp"
#include "ground/result.hpp"
#include "ground/turns.hpp"
#include "skills/library.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace skillhost {

struct Artefact {
  // If the skill seems to contain a key, this is the finding. The skill is not published then, and
  // the rest is empty.
  std::string leak;
  std::string digest; // SHA-256, 64 hexadecimal digits
  std::shared_ptr<const std::string> bytes;
};
using ArtefactPointer = std::shared_ptr<const Artefact>;

// Returns true if the skill has only one file, which is then published instead of an archive.
bool isDocument(const Skill &skill);

// Any thread. Callers are answered on their own thread or on one of the source's executor.
class Artefacts : public std::enable_shared_from_this<Artefacts> {
public:
  using Answer = std::function<void(const Result<ArtefactPointer> &)>;

  enum class LeakedKeys : std::uint8_t { Refuse, Publish };

  // Both must outlive this object.
  Artefacts(Library &library, Cache &cache, LeakedKeys keys)
      : library_(library), cache_(cache), keys_(keys) {}

  // At most so many requests of one caller, and of all callers, wait at the same time.
  static constexpr std::size_t maxWaitingOfOne = 32, maxWaiting = 1'000;

  // Makes the artefact of a skill, or takes it from the cache. `whose` names the caller or its
  // network. Fails with Fault::TooLarge if the skill has more than 512 files or 16 MiB, with
  // RateLimited if too many requests wait, and with the failure of its source.
  void make(const std::shared_ptr<const Skill> &skill, const std::string &whose, Answer answer);
  // Returns the digest of the skill's artefact if it is known already; "" otherwise.
  std::string digestOf(const Skill &skill) const;

private:
  struct Making;
  using MakingPointer = std::shared_ptr<Making>;

  bool enqueue(const std::shared_ptr<const Skill> &skill, const std::string &whose,
               const std::string &key, const Answer &answer);
  void beginNext();
  void begin(const MakingPointer &making);
  void read(const MakingPointer &making);
  void finish(const MakingPointer &making);
  ArtefactPointer made(Making &making);
  void remember(const std::string &key, const std::string &digest) noexcept;
  void answer(const MakingPointer &making, const Result<ArtefactPointer> &result);

  Library &library_;
  Cache &cache_;
  const LeakedKeys keys_;
  mutable std::mutex mutex_;                               // guards the members below
  std::unordered_map<std::string, MakingPointer> makings_; // by key; begun or in a line
  Turns<MakingPointer> lines_;                             // of the callers
  bool isMaking_ = false;
  std::map<std::string, std::size_t, std::less<>> waiting_; // requests by caller
  std::size_t allWaiting_ = 0;
  std::unordered_map<std::string, std::string> digests_; // by key; limited in number
};

} // namespace skillhost
