// SPDX-License-Identifier: Apache-2.0
// `skillhost validate`: every finding of every skill below some paths.
#pragma once

#include "skill_files.hpp"
#include "skillmd/validate.hpp"
#include "validate_options.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

struct ValidationReport {
  std::string text; // for stdout, ends with a line feed
  std::size_t skills = 0;
  std::size_t errors = 0, warnings = 0, advice = 0;

  // Whether there is a finding that weighs as much.
  bool fails(FailOn from) const noexcept;
};

// Each path, absolute, is a document, a skill's folder, or a tree. In a tree every folder with a
// SKILL.md is a skill; links are followed as a server follows them. The texts beside a SKILL.md are
// looked through, too: for names of files that are not there, for keys, and by the content rules;
// also in folders of a skill whose names begin with a dot, which servers pass over. At most 2,000
// of a skill, 64 MiB in all and 8 MiB each, and a warning names what was left out. A path without
// any skill is an error. Files below `workingDirectory` are named relative to it. Text: one finding
// after another, then a line with the counts. JSON: {skills, errors, warnings, advice, findings}.
// SARIF: a log of version 2.1.0.
ValidationReport validatePaths(const std::vector<std::string> &paths, Strictness strictness,
                               ReportForm form, const std::string &workingDirectory,
                               HiddenFolders hidden = HiddenFolders::PassOver,
                               const std::vector<std::string> &linkTargets = {});

} // namespace skillhost::app
