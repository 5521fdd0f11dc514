// SPDX-License-Identifier: Apache-2.0
// `skillhost validate`: every finding of every skill below some paths.
#pragma once

#include "commands/skill_files.hpp"
#include "skills/validate.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

enum class ReportForm : std::uint8_t { Text, Json };

struct ValidationReport {
  std::string text; // for stdout, ends with a line feed
  std::size_t skills = 0;
  std::size_t errors = 0; // any: exit 1
};

// Each path, absolute, is a document, a skill's folder, or a tree. In a tree every folder with a
// SKILL.md is a skill; links are followed as a server follows them. The texts beside a SKILL.md are
// looked through, too: for names of files that are not there, and for keys. A path without any
// skill is an error. Files below `workingDirectory` are named relative to it. Text: one finding
// after another, then a line with the counts. JSON: {skills, errors, warnings, findings}.
ValidationReport validatePaths(const std::vector<std::string> &paths, Strictness strictness,
                               ReportForm form, const std::string &workingDirectory,
                               HiddenFolders hidden = HiddenFolders::PassOver);

} // namespace skillhost::app
