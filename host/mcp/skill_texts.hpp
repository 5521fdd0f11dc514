// SPDX-License-Identifier: Apache-2.0
// Texts about skills, in JSON and for readers, that several methods and tools share.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"
#include "skills/catalogue.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace skillhost {

class Call;

// Appends the description of a skill, without its content, as a JSON object: name, title,
// description, keywords … Fields that a skill does not have are left out. It is written by hand,
// because it is done for every skill of a list at the start.
void appendSkill(std::string &out, const CatalogueEntry &entry);
// Appends the same in short: name, first sentence, tokens, and auto_activate if the skill has it.
void appendShortSkill(std::string &out, const CatalogueEntry &entry);
std::string shortDescription(const CatalogueEntry &entry);
// Returns the description for every list. If it is longer than the format allows (1,024
// characters), it is cut, so that one endless text takes nobody's room. load_skill has all of it.
std::string listedDescription(const Skill &skill);
// Returns the member of a _meta with the facts that the source states of the skill; empty if it
// states none. The skill's place on this machine is only for clients on it, and for known managers.
std::string factsMember(const Call &call, const Catalogue &catalogue, const Skill &skill);
// Returns names close to one that does not exist, for an error message; at most three.
std::vector<std::string> similarNames(const Catalogue &catalogue, std::string_view name);
// The message "No skill is named "x". Did you mean "y"?" and a context object that says the same.
struct UnknownSkill {
  std::string message, context;
};
UnknownSkill unknownSkill(const Catalogue &catalogue, std::string_view name);
// Returns why the skill in a folder of this name cannot be read; nothing if no such skill is known.
// A caller who does not see every skill learns of none.
std::optional<Failure> unreadableSkill(const Catalogue &catalogue, std::string_view name);
// Returns the time as RFC 3339 writes it, in UTC with whole seconds.
std::string timestamp(std::chrono::system_clock::time_point time);
// Decides by the ending of the file's name; "application/octet-stream" if it is unknown, and
// "text/plain" if there is none.
std::string_view mimeType(std::string_view path);

} // namespace skillhost
