// SPDX-License-Identifier: Apache-2.0
// Reads what a server with the extension io.modelcontextprotocol/skills says of its skills.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"
#include "mcp_client/conversation.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

inline constexpr const char *skillsExtension = "io.modelcontextprotocol/skills";

// Fails if the capabilities lack the extension. The message says so.
Status requireSkillsExtension(const Json &capabilities);

struct ListedFile {
  std::string uri;                     // as the server writes it
  std::string digest;                  // SHA-256, 64 hexadecimal digits
  std::optional<std::uint64_t> size{}; // nothing: the server does not say it
};

// A skill of the list skills/list.
struct ListedSkill {
  std::string name;
  std::string uri;    // of its SKILL.md, as the server writes it
  std::string folder; // URI of the folder that the skill has at the server's source
  std::map<std::string, ListedFile> files; // by the path below the skill's folder, in any form
};

// Reads an entry of the list, whose "uri" is a text. Returns the reason why it is no skill whose
// files can be read; empty if it is one. The name is filled in as soon as it is known.
std::string readListedSkill(const Json &entry, ListedSkill &skill);

// Returns the URI of the folder that a SKILL.md with this URI is in; empty if it is no SKILL.md.
std::string folderOfUri(const std::string &uri);

// Returns the content of an answer to resources/read. The failure says what is wrong with it.
Result<std::string> contentIn(const Conversation::Reply &reply);

// Returns the most bytes of an answer with a file of this size: a byte may take six in JSON.
std::size_t answerBytesFor(std::uint64_t size);

// The skills that a page of skills/list of a skillhost names because they are not in the list.
struct MissingSkills {
  struct Skill {
    std::string name;
    std::string uri; // of its folder; empty if it is not known
    std::string why;
  };
  std::vector<Skill> skills;
  // URIs of folders, in which more skills are missing than are named. Each ends with a slash.
  std::vector<std::string> folders;
  // The reason why any further skill may be missing; empty: there is none.
  std::string why;
};
// The reason for skills that are missing in a folder, or anywhere.
inline constexpr const char *missingMoreWords = "the server leaves out more skills than it names";
MissingSkills readMissingSkills(const Json &meta);

} // namespace skillhost
