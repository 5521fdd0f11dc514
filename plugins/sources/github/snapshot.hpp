// SPDX-License-Identifier: Apache-2.0
// The skills of one commit, with the plugins that it takes from other repositories. Immutable once
// built and shared between threads.
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
  std::string blob;        // id of the blob, which is also the revision
  std::string place;       // path of the bytes, relative to the repository
  std::uint64_t size = 0;  // bytes
  std::uint32_t flags = 0; // SKH_DOC_*
};

struct StoredSkill {
  std::string id;
  std::vector<StoredDocument> documents; // sorted by path
  std::size_t origin = 0;                // index in Snapshot::origins
};

// A commit whose skills are served.
struct Origin {
  std::string repository; // url of a marketplace plugin, whose store has the commit; "" for our own
  std::string page;       // URL that shows it in a browser, or ""
  bool hasPlaces = false; // page + "/" + place shows a file
  // Stated as facts of its skills. None of it holds a secret.
  std::string address{}, ref{}, commit{}; // ref is "" for the remote's HEAD
  std::int64_t fetched = 0;               // Unix seconds when the commit was fetched; 0: unknown
};

struct Snapshot {
  std::string id;                  // see State::snapshot()
  std::vector<Origin> origins;     // the repository itself, then those of marketplace plugins
  std::vector<StoredSkill> skills; // sorted by id
  std::string subpath; // of the repository itself; most ids of its skills are paths below it

  const StoredSkill *find(std::string_view skill) const noexcept;
  const Origin &origin(const StoredSkill &skill) const { return origins[skill.origin]; }
};

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept;

using SnapshotPointer = std::shared_ptr<const Snapshot>;

// Returns the facts of all skills in the format of skillhost/facts.h.
std::string factsOf(const Snapshot &snapshot);

struct Difference {
  const StoredSkill &skill;
  const StoredDocument &document;
  bool removed;
};

// Reports, in order of id and path, what must be removed from `before` and added to get `after`.
void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Difference &)> &tell);

} // namespace skillhost::github
