// SPDX-License-Identifier: Apache-2.0
// From front matter to the fields of a skill, and to the verdict where it may be served.
#pragma once

#include "skills/front_matter.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct SkillFields {
  std::string name, title, description, category, version, license, compatibility;
  std::vector<std::string> keywords, allowedTools;
  bool autoActivate = false;
  Json metadata = Json::object(); // empty when the document has none
  Json frontMatter;               // all of it, verbatim
};

struct Assessment {
  std::optional<SkillFields> fields; // empty: the skill is skipped, and an error says why
  bool servedByTools = false;        // its name can be a tool's name
  bool servedByExtension = false;    // it obeys every rule of skills/list
  std::vector<Finding> findings;
};

// Lenient: what can be served is served, and a warning says what is withheld. Strict: the
// reference validator's rules, where each breach is an error and the skill is skipped.
enum class Strictness : std::uint8_t { Lenient, Strict };

// `folderName` is the folder that holds the document, empty when unknown. Any thread.
Assessment assess(const FrontMatter &matter, std::string_view folderName, std::string_view file,
                  Strictness strictness);

} // namespace skillhost
