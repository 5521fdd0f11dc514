// SPDX-License-Identifier: Apache-2.0
#include "validate_options.hpp"

#include "catch2.hpp"
#include "made_up.hpp"
#include "validate_command.hpp"

using namespace made_up;

namespace {

Result<ValidateSettings> read(const Machine &machine, const std::vector<std::string> &arguments) {
  const CommandDescription validate = validateDescription(helpOption(), jsonOption());
  const Result<ParsedArguments> given = parseArguments(
      {"skillhost", "", false, {}, {}, {validate, {"skill", "", false, {}, {}, {validate}}}},
      arguments);
  if (!given) return given.failure();
  return readValidateSettings(*given, machine.surroundings);
}
std::string refusal(const Machine &machine, const std::vector<std::string> &arguments) {
  const Result<ValidateSettings> settings = read(machine, arguments);
  return settings ? std::string{} : settings.failure().message;
}

} // namespace

TEST_CASE("validate is told what to check, by which rules, and what to print") {
  const Machine machine;
  Result<ValidateSettings> settings = read(machine, {"validate", "a", "/b", "--strict"});
  REQUIRE(settings);
  CHECK(settings->rulesFolder.empty());
  CHECK(settings->skillRules == Strictness::Strict);
  CHECK(settings->paths == std::vector<std::string>{machine.folder + "/a", "/b"});
  CHECK(settings->failOn == FailOn::Error);
  CHECK(settings->hidden == HiddenFolders::PassOver);
  settings = read(machine, {"validate", "a", "--skill-rules", "basic", "--hidden"});
  REQUIRE(settings);
  CHECK(settings->skillRules == Strictness::Basic);
  CHECK(settings->hidden == HiddenFolders::LookInto);
  CHECK(contains(refusal(machine, {"validate", "a", "--skill-rules", "basic", "--strict"}),
                 "--strict or --skill-rules, not both"));
  settings = read(machine, {"validate", "a", "--sarif", "--fail-on", "warning"});
  REQUIRE(settings);
  CHECK((settings->form == ReportForm::Sarif && settings->failOn == FailOn::Warning));
  CHECK(contains(refusal(machine, {"validate", "a", "--sarif", "--json"}), "not both"));
  CHECK(
      contains(refusal(machine, {"validate", "a", "--fail-on", "x"}), "--fail-on: expected error"));
  settings = read(machine, {"skill", "validate", "a", "--strict"});
  REQUIRE(settings);
  CHECK(settings->skillRules == Strictness::Strict);
  CHECK(settings->paths == std::vector<std::string>{machine.folder + "/a"});
  CHECK(contains(refusal(machine, {"validate"}), "name what to check"));
  CHECK(contains(refusal(machine, {"skill", "validate"}), "name what to check"));
}

TEST_CASE("the folder of the rules is taken from the working directory") {
  const Machine machine;
  const Result<ValidateSettings> settings = read(machine, {"validate", "a", "--rules", "rules"});
  REQUIRE(settings);
  CHECK(settings->rulesFolder == machine.surroundings.workingDirectory + "/rules");
}
