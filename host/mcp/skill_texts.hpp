// SPDX-License-Identifier: Apache-2.0
// Skills in the words of JSON and of readers: pieces that several methods and tools share.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"
#include "skills/catalogue.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace skillhost {

class Call;

// Appends what tools tell of a skill without loading it, as a JSON object: name, title,
// description, keywords … Fields that a skill does not have are left out. Written by hand: it is
// done for every skill of a list at the start.
void appendSkill(std::string &out, const CatalogueEntry &entry);
// The same in short: name, first sentence, tokens, and whether it activates itself.
void appendShortSkill(std::string &out, const CatalogueEntry &entry);
std::string shortDescription(const CatalogueEntry &entry);
// The description as every list has it: of one that is longer than the format allows (1,024
// characters) the beginning, so that one endless text takes nobody's room. load_skill has it whole.
std::string listedDescription(const Skill &skill);
// The member of a _meta that says what the source states of the skill; empty when it states
// nothing. Where the skill lies on this machine is for clients on it, and for known managers.
std::string factsMember(const Call &call, const Catalogue &catalogue, const Skill &skill);
// Names close to one that does not exist, for an error message; at most three.
std::vector<std::string> similarNames(const Catalogue &catalogue, std::string_view name);
// "No skill is named "x". Did you mean "y"?" and the context object that says the same.
struct UnknownSkill {
  std::string message, context;
};
UnknownSkill unknownSkill(const Catalogue &catalogue, std::string_view name);
// Says why the skill in a folder of this name cannot be read; nothing when no such skill is known.
// A caller who does not see every skill learns of none.
std::optional<Failure> unreadableSkill(const Catalogue &catalogue, std::string_view name);
// RFC 3339, UTC, seconds.
std::string timestamp(std::chrono::system_clock::time_point time);
// By the file name's ending; "application/octet-stream" when unknown.
std::string_view mimeType(std::string_view path);

} // namespace skillhost
