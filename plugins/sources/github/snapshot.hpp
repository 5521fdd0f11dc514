// SPDX-License-Identifier: Apache-2.0
// What one commit offers, with the plugins that it takes from other repositories. Immutable once
// built, shared between threads.
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
  std::size_t origin = 0;                // in Snapshot::origins
};

// A commit of which skills are served.
struct Origin {
  std::string repository; // whose store has it: the url of marketplace plugins, "" for our own
  std::string page;       // under which a browser shows it, or ""
  bool hasPlaces = false; // page + "/" + place shows a file
  // What is stated of its skills; none of it holds a secret.
  std::string address{}, ref{}, commit{}; // ref is "" for the remote's HEAD
  std::int64_t fetched = 0;               // Unix seconds: when the commit came; 0: not known
};

struct Snapshot {
  std::string id;                  // see State::snapshot()
  std::vector<Origin> origins;     // the repository itself, then those of marketplace plugins
  std::vector<StoredSkill> skills; // by id
  std::string subpath; // of the repository itself: ids of its skills are paths below it, mostly

  const StoredSkill *find(std::string_view skill) const noexcept;
  const Origin &origin(const StoredSkill &skill) const { return origins[skill.origin]; }
};

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept;

using SnapshotPointer = std::shared_ptr<const Snapshot>;

// The facts of all skills, as skillhost/facts.h wants them.
std::string factsOf(const Snapshot &snapshot);

struct Difference {
  const StoredSkill &skill;
  const StoredDocument &document;
  bool removed;
};

// Tells, in order of id and path, what must be removed from `before` and put to make `after`.
void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Difference &)> &tell);

} // namespace skillhost::github
