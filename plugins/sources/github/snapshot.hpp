// SPDX-License-Identifier: Apache-2.0
// What one commit offers. Immutable once built, shared between threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::github {

struct StoredDocument {
  std::string path;        // relative to the skill
  std::string blob;        // its id, which is the revision
  std::string place;       // relative to the repository, where the bytes stand
  std::uint64_t size = 0;  // bytes
  std::uint32_t flags = 0; // SKH_DOC_*
};

struct StoredSkill {
  std::string id;
  std::vector<StoredDocument> documents; // by path
};

struct Snapshot {
  std::string id;                  // the commit
  std::vector<StoredSkill> skills; // by id

  const StoredDocument *find(std::string_view skill, std::string_view path) const noexcept;
};

using SnapshotPointer = std::shared_ptr<const Snapshot>;

struct Difference {
  const StoredSkill &skill;
  const StoredDocument &document;
  bool removed;
};

// Tells, in order of id and path, what must be removed from `before` and put to make `after`.
void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Difference &)> &tell);

} // namespace skillhost::github
