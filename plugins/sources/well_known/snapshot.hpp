// SPDX-License-Identifier: Apache-2.0
// The skills of an index that are in the cache. Immutable once built and shared between threads.
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
  IndexEntry entry;                      // its name is the id of the skill
  std::int64_t fetched = 0;              // Unix seconds of the fetch; 0: unknown
  std::vector<StoredDocument> documents; // sorted by path
};
using SkillPointer = std::shared_ptr<const StoredSkill>;

struct Snapshot {
  std::string id;                   // equal for equal skills with equal digests
  std::vector<SkillPointer> skills; // sorted by name
  std::string index, indexDigest;   // address; digest of 64 hexadecimal digits, or "" if unknown
  bool isVerified = true;           // the index has digests

  SkillPointer find(std::string_view name) const noexcept;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept;

// Takes the skills in any order, the address of the index, and its digest when it was read.
SnapshotPointer makeSnapshot(std::vector<SkillPointer> skills, std::string index = {},
                             std::string indexDigest = {}, bool isVerified = true);

// Returns the facts of all skills in the format of skillhost/facts.h.
std::string factsOf(const Snapshot &snapshot);

// Reports what must be removed from `before` and added to get `after`.
void compare(
    const Snapshot &before, const Snapshot &after,
    const std::function<void(const StoredSkill &, const StoredDocument &, bool removed)> &tell);

} // namespace skillhost::well_known
