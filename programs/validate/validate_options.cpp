// SPDX-License-Identifier: Apache-2.0
#include "validate_options.hpp"

#include "settings/paths.hpp"

namespace skillhost::app {

Result<ValidateSettings> readValidateSettings(const ParsedArguments &arguments,
                                              const Surroundings &surroundings) {
  if (!arguments.has("PATH"))
    return refusedArguments(
        arguments.commands,
        "name what to check: a SKILL.md, a skill's folder, or a tree of skills");
  ValidateSettings settings;
  const bool isStrict = arguments.has("--strict") && arguments.last("--strict") == "true";
  if (arguments.has("--skill-rules")) { // the parser allows no other value
    const std::string &rules = arguments.last("--skill-rules");
    settings.skillRules = rules == "strict"  ? Strictness::Strict
                          : rules == "basic" ? Strictness::Basic
                                             : Strictness::Lenient;
    if (isStrict && settings.skillRules != Strictness::Strict)
      return refusedArguments(arguments.commands, "--strict or --skill-rules, not both");
  }
  if (isStrict) settings.skillRules = Strictness::Strict;
  if (arguments.has("--hidden")) settings.hidden = HiddenFolders::LookInto;
  if (arguments.has("--json") && arguments.has("--sarif"))
    return refusedArguments(arguments.commands, "--json or --sarif, not both");
  if (arguments.has("--json")) settings.form = ReportForm::Json;
  if (arguments.has("--sarif")) settings.form = ReportForm::Sarif;
  if (arguments.has("--fail-on")) { // the parser allows no other value
    const std::string &level = arguments.last("--fail-on");
    settings.failOn = level == "never"     ? FailOn::Never
                      : level == "advice"  ? FailOn::Advice
                      : level == "warning" ? FailOn::Warning
                                           : FailOn::Error;
  }
  if (arguments.has("--rules"))
    settings.rulesFolder =
        absolutePath(arguments.last("--rules"), surroundings.workingDirectory, surroundings);
  for (const std::string &path : arguments.values.at("PATH"))
    settings.paths.push_back(absolutePath(path, surroundings.workingDirectory, surroundings));
  return settings;
}

} // namespace skillhost::app
