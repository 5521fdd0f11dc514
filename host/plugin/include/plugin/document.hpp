// SPDX-License-Identifier: Apache-2.0
// The documents and snapshots that a source returns, copied and checked.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skillhost {

struct Document {
  std::string skill;                 // "pdf" or "team/pdf": relative, clean, valid UTF-8
  std::string path;                  // relative to the skill, clean, valid UTF-8
  std::string revision;              // opaque
  std::string location;              // an absolute path, an https URL, or empty
  std::uint64_t length = UINT64_MAX; // bytes, UINT64_MAX when unknown
  bool entry = false;                // the skill's SKILL.md
  bool executable = false;

  bool operator==(const Document &) const = default;
};

// Says why a filter of sources serves nothing of a skill that the source has.
struct SkillRefusal {
  std::string code;    // of the finding about it: kebab-case and stable
  std::string message; // what is wrong with the skill
  std::string advice;  // what the operator may do
  std::string command; // `skillhost COMMAND` names every skill that the filter refuses
};

struct Snapshot {
  std::string revision;
  std::vector<Document> documents; // sorted by skill, then path; each pair once
  // Facts that the source states besides the documents, by skill or for all, "*": the text of a
  // JSON object.
  std::map<std::string, std::string> facts;
  // Skills that a filter does not let through, with the reason; they have no documents here.
  std::map<std::string, SkillRefusal> refused;
  // By skill, a line of a filter of sources for the agent that loads the skill.
  std::map<std::string, std::string> notices{};
};

struct Changes {
  std::string revision;                     // equal to the requested one if nothing differs
  std::vector<Document> added;              // new or changed
  std::vector<Document> removed;            // skill and path only
  std::map<std::string, std::string> facts; // of all skills, as in a snapshot
};

} // namespace skillhost
