// SPDX-License-Identifier: Apache-2.0
// The skills of the server at one moment. Immutable, and shared by all who need it.
#pragma once

#include "snapshots/history.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::mcp_source {

struct StoredDocument {
  std::string path;       // relative to the skill
  std::string uri;        // as the server writes it
  std::string revision;   // SHA-256 of its bytes, 64 hexadecimal digits
  std::uint64_t size = 0; // bytes

  bool operator==(const StoredDocument &) const = default;
};

struct StoredSkill {
  std::string id;           // path of the skill's URI: "team/pdf" for skill://team/pdf/SKILL.md
  std::string uri;          // of its SKILL.md, as the server writes it
  std::string folder;       // URI of its folder at the server's source
  std::int64_t fetched = 0; // Unix seconds of the fetch
  std::vector<StoredDocument> documents; // sorted by path
  std::string through{};                 // the servers that it came through (way.hpp)
};
using SkillPointer = std::shared_ptr<const StoredSkill>;

// The server's own words about itself, which nobody can verify.
struct ServerFacts {
  std::string name, version, protocol;
};

struct Snapshot {
  std::string id;                   // equal for equal skills with equal URIs and digests
  std::vector<SkillPointer> skills; // sorted by id
  std::string server;               // its address, without the query
  ServerFacts facts;                // of the server that first listed these skills

  SkillPointer find(std::string_view id) const noexcept;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;
using History = snapshots::History<Snapshot>;

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept;

// Takes the skills in any order.
SnapshotPointer makeSnapshot(std::vector<SkillPointer> skills, std::string server,
                             ServerFacts facts);

// Returns the facts of all skills in the format of skillhost/facts.h.
std::string factsOf(const Snapshot &snapshot);

// Reports what must be removed from `before` and added to get `after`.
void compare(
    const Snapshot &before, const Snapshot &after,
    const std::function<void(const StoredSkill &, const StoredDocument &, bool removed)> &tell);

} // namespace skillhost::mcp_source
