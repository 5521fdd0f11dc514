// SPDX-License-Identifier: Apache-2.0
// The content of the directories at one moment. Immutable once built and shared between threads.
#pragma once

#include "identity.hpp"
#include "root.hpp"

#include <skillhost/plugin.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace skillhost::filesystem {

struct StoredDocument {
  std::string path; // relative to the skill
  FileIdentity identity;
  std::optional<Digest> digest; // part of the revision if the identity is not enough
  bool steady = false;          // a change of the bytes would change the identity
  std::uint32_t flags = 0;      // SKH_DOC_*
  Revision revision;
  friend bool operator==(const StoredDocument &, const StoredDocument &) = default;
};

struct StoredSkill {
  std::string id;
  std::string folder; // relative to the root; "" for the root itself
  std::shared_ptr<const Root> root;
  std::vector<StoredDocument> documents; // sorted by path
  // All folders of the skill, if their direct content alone determines the skill; else empty.
  std::vector<Place> places;
  friend bool operator==(const StoredSkill &, const StoredSkill &) = default;
};
// Several snapshots are kept, and they share unchanged skills.
using StoredSkills = std::vector<std::shared_ptr<const StoredSkill>>;

struct FoundDocument {
  const StoredSkill *skill = nullptr;
  const StoredDocument *document = nullptr; // both are null if there is none
};

// Says why a directory cannot be listed.
struct Trouble {
  std::string reason; // empty if there is none
  skh_status status = SKH_DENIED;
};

struct Snapshot {
  std::string id;      // equal for equal skills, paths, flags and revisions
  StoredSkills skills; // sorted by id
  // In the order of the configuration; nullptr if one is missing.
  std::vector<std::shared_ptr<const Root>> roots;
  std::size_t folders = 0, files = 0; // numbers that were found, which max_files limits
  Trouble trouble; // set if no directory can be read and one of them should be there

  FoundDocument find(std::string_view skill, std::string_view path) const noexcept;
};

using SnapshotPointer = std::shared_ptr<const Snapshot>;

// Computes the id from the skills of a snapshot.
std::string identify(const StoredSkills &skills);

struct Difference {
  const StoredSkill &skill;
  const StoredDocument &document;
  bool removed;
};

// Reports, in order of id and path, what must be removed from `before` and added to get `after`.
void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Difference &)> &tell);

} // namespace skillhost::filesystem
