// SPDX-License-Identifier: Apache-2.0
// What the directories held at one moment. Immutable once built, shared between threads.
#pragma once

#include "identity.hpp"
#include "root.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace skillhost::filesystem {

struct StoredDocument {
  std::string path; // relative to the skill
  FileIdentity identity;
  std::optional<Digest> digest; // part of the revision where the identity is not enough
  bool steady = false;          // the bytes can no longer change without the identity
  std::uint32_t flags = 0;      // SKH_DOC_*
  Revision revision;
  friend bool operator==(const StoredDocument &, const StoredDocument &) = default;
};

struct StoredSkill {
  std::string id;
  std::string folder; // relative to the root, "" for the root itself
  std::shared_ptr<const Root> root;
  std::vector<StoredDocument> documents; // by path
  // All folders it is in, where what is directly in these decides alone what it is; else empty.
  std::vector<Place> places;
  friend bool operator==(const StoredSkill &, const StoredSkill &) = default;
};
// Shared by the snapshots in which it is the same: several are remembered.
using StoredSkills = std::vector<std::shared_ptr<const StoredSkill>>;

struct FoundDocument {
  const StoredSkill *skill = nullptr;
  const StoredDocument *document = nullptr; // both null when there is none
};

struct Snapshot {
  std::string id;      // equal for equal skills, paths, flags and revisions
  StoredSkills skills; // by id
  std::vector<std::shared_ptr<const Root>> roots; // as configured; nullptr where one is missing
  std::size_t folders = 0, files = 0;             // that were met: what max_files limits
  std::string trouble; // why none of them can be read; empty: one can, or they are missing

  FoundDocument find(std::string_view skill, std::string_view path) const noexcept;
};

using SnapshotPointer = std::shared_ptr<const Snapshot>;

// The id that the skills of a snapshot make.
std::string identify(const StoredSkills &skills);

struct Difference {
  const StoredSkill &skill;
  const StoredDocument &document;
  bool removed;
};

// Tells, in order of id and path, what must be removed from `before` and put to make `after`.
void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Difference &)> &tell);

} // namespace skillhost::filesystem
