// SPDX-License-Identifier: Apache-2.0
// What is published of a skill: its SKILL.md when there is nothing else, or all of it as a .tar.gz;
// made when somebody asks, one after another, and kept in the cache of the host.
#pragma once

#include "base/cache.hpp"
#include "ground/result.hpp"
#include "skills/library.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace skillhost {

struct Artefact {
  std::string leak;   // a key that seems to stand in it: it is not published, and the rest is empty
  std::string digest; // SHA-256, 64 hexadecimal digits
  std::shared_ptr<const std::string> bytes;
};
using ArtefactPointer = std::shared_ptr<const Artefact>;

// A skill of one file is published as that file, not as an archive.
bool isDocument(const Skill &skill);

// Any thread. Whoever waits is called back on this thread or on one of the source's executor.
class Artefacts : public std::enable_shared_from_this<Artefacts> {
public:
  using Answer = std::function<void(const Result<ArtefactPointer> &)>;

  enum class LeakedKeys : std::uint8_t { Refuse, Publish };

  // Both outlive it.
  Artefacts(Library &library, Cache &cache, LeakedKeys keys)
      : library_(library), cache_(cache), keys_(keys) {}

  // Fails with Fault::TooLarge for a skill of more than 512 files or 16 MiB, with RateLimited when
  // too many wait, and with what its source says.
  void make(const std::shared_ptr<const Skill> &skill, Answer answer);
  // Its digest, if that has been found out before; "" otherwise.
  std::string digestOf(const Skill &skill) const;

private:
  struct Making;
  using MakingPointer = std::shared_ptr<Making>;

  MakingPointer enqueue(const std::shared_ptr<const Skill> &skill, std::string key, Answer answer);
  void begin(const MakingPointer &making);
  void finish(const MakingPointer &making);
  void answer(const MakingPointer &making, const Result<ArtefactPointer> &result);

  Library &library_;
  Cache &cache_;
  const LeakedKeys keys_;
  mutable std::mutex mutex_;          // guards what follows
  std::deque<MakingPointer> makings_; // the first is under way
  std::size_t waiting_ = 0;
  std::unordered_map<std::string, std::string> digests_; // by key; a bounded number
};

} // namespace skillhost
