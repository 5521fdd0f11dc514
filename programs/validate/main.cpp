// SPDX-License-Identifier: Apache-2.0
// The program skillhost-validate, which `skillhost validate …` and `skillhost skill validate …`
// execute.
#include "app/log_configuration.hpp"
#include "beneath/top_link.hpp"
#include "ground/shown.hpp"
#include "program.hpp"
#include "validate.hpp"
#include "validate_command.hpp"
#include "validate_options.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace skillhost::app {
namespace {

int validate(const ParsedArguments &parsed, const Surroundings &surroundings) {
  const Result<ValidateSettings> settings = readValidateSettings(parsed, surroundings);
  if (!settings) return programs::refuse(settings.failure());
  const Logging logging({}, surroundings);
  const std::vector<std::string> linkTargets = beneath::usualLinkTargets(
      surroundings.variable("HOME")); // the default of the plugin filesystem
  Result<SiteRules> siteRules =
      settings->rulesFolder.empty() ? SiteRules() : readSiteRules(settings->rulesFolder);
  if (!siteRules) return programs::refuse(siteRules.failure());
  const ValidationReport report =
      validatePaths(settings->paths, settings->skillRules, settings->form,
                    surroundings.workingDirectory, settings->hidden, linkTargets, *siteRules);
  if (settings->form != ReportForm::Text)
    printJsonText(stdout, report.text);
  else
    printShown(stdout, "%s", report.text.c_str());
  return report.fails(settings->failOn) ? 1 : 0;
}

} // namespace
} // namespace skillhost::app

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  const app::CommandDescription validate =
      app::validateDescription(app::helpOption(), app::jsonOption());
  app::CommandDescription below = validate;
  below.position = 200; // after `skill new`
  // Options of the server have no meaning for it, and may stand before it.
  return programs::run(
      arguments,
      programs::skillhostWith(programs::carriedOutBy("validate", app::ServerOptions::Ignored,
                                                     {validate, programs::skillGroup({below})})),
      app::validate);
}
