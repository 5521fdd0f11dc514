// SPDX-License-Identifier: Apache-2.0
// `skillhost validate` reports every finding of every skill below some paths.
#pragma once

#include "skill_files.hpp"
#include "skillcheck/site_rules.hpp"
#include "skillmd/validate.hpp"
#include "validate_options.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

struct ValidationReport {
  std::string text; // for stdout; ends with a line feed
  std::size_t skills = 0;
  std::size_t errors = 0, warnings = 0, advice = 0;

  // Returns true if a finding is at least that severe.
  bool fails(FailOn from) const noexcept;
};

// Validates each path, which is absolute and a document, a skill's folder, or a tree. In a tree
// every folder with a SKILL.md is a skill; links are followed as a server does. The texts beside a
// SKILL.md are checked, too: for names of missing files, for keys, and by the content rules; also
// in folders of a skill whose names begin with a dot, which servers ignore. At most 2,000 files of
// a skill, 64 MiB in all and 8 MiB each are checked, and a warning names the rest. A path without
// any skill is an error. Files below `workingDirectory` are named relative to it. Text: one finding
// after another, then a line with the counts. JSON: {skills, errors, warnings, advice, findings}.
// SARIF: a log of version 2.1.0. The rules of the site are applied beside the content rules.
ValidationReport validatePaths(const std::vector<std::string> &paths, Strictness strictness,
                               ReportForm form, const std::string &workingDirectory,
                               HiddenFolders hidden = HiddenFolders::PassOver,
                               const std::vector<std::string> &linkTargets = {},
                               const SiteRules &siteRules = {});

// Reads the files `*.rules` of a folder in the order of their names. At most 256 files of 64 KiB
// are read. The failure names the file, and for a fault in it the line.
Result<SiteRules> readSiteRules(const std::string &folder);

} // namespace skillhost::app
