// SPDX-License-Identifier: Apache-2.0
#include "validate_options.hpp"

#include "settings/paths.hpp"

namespace skillhost::app {

Result<ValidateSettings> readValidateSettings(const ParsedArguments &given,
                                              const Surroundings &surroundings) {
  if (!given.has("PATH"))
    return refusedArguments(
        given.commands, "name what to check: a SKILL.md, a skill's folder, or a tree of skills");
  ValidateSettings settings;
  const bool isStrict = given.has("--strict") && given.last("--strict") == "true";
  if (given.has("--skill-rules")) { // the parser allows no other value
    const std::string &rules = given.last("--skill-rules");
    settings.skillRules = rules == "strict"  ? Strictness::Strict
                          : rules == "basic" ? Strictness::Basic
                                             : Strictness::Lenient;
    if (isStrict && settings.skillRules != Strictness::Strict)
      return refusedArguments(given.commands, "--strict or --skill-rules, not both");
  }
  if (isStrict) settings.skillRules = Strictness::Strict;
  if (given.has("--hidden")) settings.hidden = HiddenFolders::LookInto;
  if (given.has("--json") && given.has("--sarif"))
    return refusedArguments(given.commands, "--json or --sarif, not both");
  if (given.has("--json")) settings.form = ReportForm::Json;
  if (given.has("--sarif")) settings.form = ReportForm::Sarif;
  if (given.has("--fail-on")) { // the parser allows no other value
    const std::string &level = given.last("--fail-on");
    settings.failOn = level == "never"     ? FailOn::Never
                      : level == "advice"  ? FailOn::Advice
                      : level == "warning" ? FailOn::Warning
                                           : FailOn::Error;
  }
  if (given.has("--rules"))
    settings.rulesFolder =
        absolutePath(given.last("--rules"), surroundings.workingDirectory, surroundings);
  for (const std::string &path : given.values.at("PATH"))
    settings.paths.push_back(absolutePath(path, surroundings.workingDirectory, surroundings));
  return settings;
}

} // namespace skillhost::app
