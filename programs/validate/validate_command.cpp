// SPDX-License-Identifier: Apache-2.0
#include "validate_command.hpp"

namespace skillhost::app {

CommandDescription validateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json) {
  CommandDescription command{
      "validate",
      "Check skills: their front matter, files that are named and not there, leaked keys, what "
      "attacks are made of; every finding with file, line and column.",
      false,
      {help,
       {{"--skill-rules"},
        "lenient|basic|strict",
        "Which rules a skill has to keep, as the server's skill_rules; each breach is an error. "
        "Default: lenient.",
        generalOptions},
       {{"--strict"}, "", "The same as --skill-rules strict.", generalOptions},
       {{"--hidden"}, "", "Also look into folders whose names begin with a dot.", generalOptions},
       json,
       {{"--sarif"}, "", "Print a SARIF 2.1.0 log, for code hosts.", generalOptions},
       {{"--fail-on"},
        "error|warning|advice|never",
        "What makes the exit code 1: findings that weigh as much. Default: error.",
        generalOptions}},
      {{{"PATH"}, "PATH", "A SKILL.md, a skill's folder, or a tree of skills.", "", false, true}}};
  command.position = 100;
  return command;
}

} // namespace skillhost::app
