// SPDX-License-Identifier: Apache-2.0
// What the store held that verified, at one moment. Immutable once built, shared between threads.
#pragma once

#include <skillhost/plugin.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::store_source {

struct ListedFile {
  std::string path;
  std::uint64_t length = 0;
};
struct ListedSkill {
  std::string name, checksum; // the checksum is the revision of every file
  // Facts, as facts.h names them; signer, origin and saved may be empty.
  std::string integrity, signature, signer, origin, content, saved;
  std::uint64_t version = 0;
  std::vector<ListedFile> files;
};
struct Snapshot {
  std::string id;                  // of equal skills with equal checksums and facts it is equal
  std::vector<ListedSkill> skills; // sorted by name

  const ListedSkill *find(std::string_view name) const noexcept;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;

SnapshotPointer makeSnapshot(std::vector<ListedSkill> skills);
// The JSON object of the facts of all skills.
std::string factsOf(const Snapshot &snapshot);
void emitAll(const Snapshot &snapshot, const skh::Call &call, const skh::Documents &out);
// What has to be put and removed to come from `before` to `after`.
void emitDifference(const Snapshot &before, const Snapshot &after, const skh::Call &call,
                    const skh::Documents &out);

} // namespace skillhost::store_source
