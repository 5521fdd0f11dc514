// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "generate_command.hpp"
#include "options.hpp"

using namespace skillhost;

namespace {

Result<GenerateSettings> told(const std::vector<std::string> &arguments) {
  app::Surroundings surroundings;
  surroundings.variables["HOME"] = "/home/ada";
  surroundings.workingDirectory = "/home/ada/project";
  const app::CommandDescription program{
      "skillhost",
      "",
      false,
      {},
      {},
      {app::generateDescription(app::helpOption(), app::jsonOption(), app::generalOptions)}};
  const Result<app::ParsedArguments> given =
      app::parseArguments(program, app::withoutServerCommand(arguments));
  if (!given) return given.failure();
  return readGenerateSettings(arguments, *given, surroundings);
}

bool isRefused(const std::vector<std::string> &arguments, const std::string &why) {
  const Result<GenerateSettings> result = told(arguments);
  return !result && result.failure().message.find(why) != std::string::npos;
}

} // namespace

TEST_CASE("generate takes a command or a URL, and whatever stands behind two dashes") {
  const Result<GenerateSettings> started = told(
      {"generate", "docs", "--force", "--timeout", "5", "--", "npx", "--url", "-x", "{}", "--"});
  REQUIRE(started);
  CHECK(started->command == std::vector<std::string>{"npx", "--url", "-x", "{}", "--"});
  CHECK(started->output == "/home/ada/project/docs");
  CHECK(started->force);
  CHECK(started->timeout == std::chrono::seconds(5));
  CHECK(started->log.level == LogLevel::Warning);
  const Result<GenerateSettings> kept =
      told({"generate", "docs", "--url", "https://a/mcp", "--token-env", "T", "--save", "--keep",
            "3", "--skill-dir", "s", "--log-level", "INFO"});
  REQUIRE(kept);
  CHECK(kept->connect.url == "https://a/mcp");
  CHECK(kept->connect.token.variable == "T");
  CHECK(kept->output.empty());
  CHECK(kept->store.directory == "/home/ada/project/s");
  CHECK(kept->store.keep == 3);
  CHECK(kept->log.level == LogLevel::Info);
  CHECK(isRefused({"generate", "a", "--url", "http://a", "--", "b"}, "either"));
  CHECK(isRefused({"generate", "A", "--", "b"}, "no name for a skill"));
  CHECK(isRefused({"generate", "a", "--keep", "2", "--", "b"}, "add --save"));
  CHECK(isRefused({"generate", "a", "--save", "--keep", "0", "--", "b"}, "from 1 to 1000, found"));
  CHECK(isRefused({"generate", "a", "--timeout", "601", "--", "b"}, "of seconds from 1 to 600"));
  CHECK(isRefused({"generate", "a", "--connect-timeout-ms", "x", "--", "b"},
                  "of milliseconds from 1 to 600000, found \"x\""));
}
