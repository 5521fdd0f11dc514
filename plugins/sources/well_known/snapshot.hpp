// SPDX-License-Identifier: Apache-2.0
// What an index offers and is at hand. Immutable once built, shared between threads.
#pragma once

#include "index.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::well_known {

struct StoredDocument {
  std::string path;        // relative to the skill
  std::string revision;    // SHA-256 of its bytes, 64 hexadecimal digits
  std::uint64_t size = 0;  // bytes
  std::uint32_t flags = 0; // SKH_DOC_*
};

struct StoredSkill {
  IndexEntry entry;                      // its name is the id
  std::int64_t fetched = 0;              // Unix seconds: when it came; 0: not known
  std::vector<StoredDocument> documents; // by path
};
using SkillPointer = std::shared_ptr<const StoredSkill>;

struct Snapshot {
  std::string id;                   // equal for equal skills with equal digests
  std::vector<SkillPointer> skills; // by name
  std::string index, indexDigest;   // its address; 64 hexadecimal digits, or "" where not known

  SkillPointer find(std::string_view name) const noexcept;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept;

// The skills in any order; of which index, and its digest when it was read.
SnapshotPointer makeSnapshot(std::vector<SkillPointer> skills, std::string index = {},
                             std::string indexDigest = {});

// The facts of all skills, as skillhost/facts.h wants them.
std::string factsOf(const Snapshot &snapshot);

// Tells what must be removed from `before` and put to make `after`.
void compare(
    const Snapshot &before, const Snapshot &after,
    const std::function<void(const StoredSkill &, const StoredDocument &, bool removed)> &tell);

} // namespace skillhost::well_known
