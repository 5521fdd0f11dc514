// SPDX-License-Identifier: Apache-2.0
// The verified skills of the store at one moment. Immutable once built and shared between threads.
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
  // Facts in the terms of facts.h; signer, origin and saved may be empty.
  std::string integrity, signature, signer, origin, content, saved;
  std::uint64_t version = 0;
  std::vector<ListedFile> files;
};
struct Snapshot {
  std::string id;                  // equal for equal skills with equal checksums and facts
  std::vector<ListedSkill> skills; // sorted by name

  const ListedSkill *find(std::string_view name) const noexcept;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;

SnapshotPointer makeSnapshot(std::vector<ListedSkill> skills);
// Returns the facts of all skills as a JSON object.
std::string factsOf(const Snapshot &snapshot);
void emitAll(const Snapshot &snapshot, const skh::Call &call, const skh::Documents &out);
// Sends what must be put and removed to get from `before` to `after`.
void emitDifference(const Snapshot &before, const Snapshot &after, const skh::Call &call,
                    const skh::Documents &out);

} // namespace skillhost::store_source
