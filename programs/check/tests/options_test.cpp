// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "options.hpp"
#include "plugin_commands.hpp"

using namespace skillhost;

namespace {

Result<CheckSettings> told(const std::vector<std::string> &arguments) {
  app::Surroundings surroundings;
  surroundings.workingDirectory = "/home/ada/project";
  const app::ArgumentDescription help = app::helpOption();
  const app::CommandDescription program{
      "skillhost", "", false,
      {},          {}, {app::checkDescription(help, app::jsonOption()), app::tryDescription(help)}};
  const Result<app::ParsedArguments> given = app::parseArguments(program, arguments);
  if (!given) return given.failure();
  return arguments.front() == "check" ? readCheckSettings(*given, surroundings)
                                      : readTrySettings(*given, surroundings);
}

bool isRefused(const std::vector<std::string> &arguments, const std::string &why) {
  const Result<CheckSettings> result = told(arguments);
  return !result && result.failure().message.find(why) != std::string::npos;
}

} // namespace

TEST_CASE("check takes a plugin, its configuration and the names of checks") {
  const Result<CheckSettings> check = told(
      {"check", "p.so", "--config", "p.json", "--only", "elf,read", "--only", "auth", "--json"});
  REQUIRE(check);
  CHECK(check->file == "/home/ada/project/p.so");
  CHECK(check->configurationFile == "/home/ada/project/p.json");
  CHECK(check->only == std::vector<std::string>{"elf", "read", "auth"});
  CHECK(check->json);
  CHECK(isRefused({"check", "p.so", "--only", "reed"}, "did you mean \"read\"?"));
  CHECK(isRefused({"check"}, "name the plugin's file"));
  CHECK(isRefused({"check", "p.so", "--trusted", "--allow-read", "/"}, "leave out --allow-read"));
}

TEST_CASE("try takes a plugin and one operation with its arguments") {
  const Result<CheckSettings> query =
      told({"try", "p.so", "query", "merge", "PDF", "--skills", "/s", "--deadline-ms", "50"});
  REQUIRE(query);
  CHECK(query->operation == "query");
  CHECK(query->arguments == std::vector<std::string>{"merge", "PDF"});
  CHECK(query->skills == "/s");
  CHECK(query->deadlineMs == 50);
  CHECK(told({"try", "p.so", "validate", "-"})->arguments == std::vector<std::string>{"-"});
  CHECK(told({"try", "p.so", "validate", "-", "--resource", "https://x"})->resource == "https://x");
  CHECK(isRefused({"try", "p.so", "list", "--resource", "https://x"}, "validate"));
  CHECK(isRefused({"try", "p.so", "read", "pdf"}, "a skill and a path"));
  CHECK(isRefused({"try", "p.so", "list", "--deadline-ms", "0"}, "--deadline-ms"));
}
