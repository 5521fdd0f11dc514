// SPDX-License-Identifier: Apache-2.0
#include "validate_command.hpp"

namespace skillhost::app {

CommandDescription validateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json) {
  CommandDescription command{
      "validate",
      "Check skills: their front matter, files that they name but do not have, leaked keys, and "
      "signs of attacks; every finding has file, line and column.",
      false,
      {help,
       {{"--skill-rules"},
        "lenient|basic|strict",
        "The rules that a skill must follow, as in the server's skill_rules; each broken rule is "
        "an error. Default: lenient.",
        generalOptions},
       {{"--strict"}, "", "The same as --skill-rules strict.", generalOptions},
       {{"--hidden"}, "", "Also search folders whose names begin with a dot.", generalOptions},
       {{"--rules"},
        "DIR",
        "Also apply the content rules in the files *.rules of this folder; each rule has "
        "specimens.",
        generalOptions},
       json,
       {{"--sarif"}, "", "Print a SARIF 2.1.0 log, for code hosts.", generalOptions},
       {{"--fail-on"},
        "error|warning|advice|never",
        "The lowest severity of findings for exit code 1. Default: error.",
        generalOptions}},
      {{{"PATH"}, "PATH", "A SKILL.md, a skill's folder, or a tree of skills.", "", false, true}}};
  command.position = 100;
  return command;
}

} // namespace skillhost::app
