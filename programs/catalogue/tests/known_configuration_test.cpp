// SPDX-License-Identifier: Apache-2.0
#include "asked.hpp"
#include "catch2.hpp"

using namespace made_up;

TEST_CASE("every folder of a command describes what it carries out") {
  CHECK_FALSE(catalogueCommands().empty());
  for (const CatalogueCommand &command : catalogueCommands()) {
    CHECK(command.carryOut != nullptr);
    CHECK_FALSE(command.descriptions.empty());
    for (const CommandDescription &one : command.descriptions)
      CHECK(one.position != CommandDescription::positionOfOthers);
  }
}

TEST_CASE("a command reads the configuration as it needs it") {
  const AskedMachine machine;
  CHECK(machine.known({"--top-k", "9"})->configuration.defaultTopK == 9);
  CHECK(machine.known({"--skills-dir", "s"})->configuration.sources.size() == 1);
  const auto absent = machine.known({"--config", "nope.yaml"});
  REQUIRE(!absent);
  CHECK(contains(absent.failure().message, "nope.yaml: No such file"));
  const auto without =
      machine.known({"--config", "nope.yaml"}, {.log = LogLevel::Error, .mayFail = true});
  REQUIRE(without);
  CHECK(contains(without->problems, "nope.yaml: No such file"));
  CHECK(without->configuration.log.level == LogLevel::Error);
  CHECK(machine.known({"--config", "nope.yaml"}, {.noFile = true})->problems.empty());
  CHECK(!machine.known({"--set", "no equals sign"}, {.mayFail = true}));
  const std::string file = machine.write(
      "token.yaml", "sources: [{name: team, plugin: github, config: {token: env:NOT_SET}}]\n"
                    "access: {visibility: [{sources: [other], scopes: [x]}]}\n");
  CHECK(!machine.known({"--config", file}));
  CHECK(!machine.known({"--config", file}, {.resolveReferences = false}));
  CHECK(!machine.known({"--config", file}, {.checkNames = false}));
  CHECK(machine.known({"--config", file}, {.resolveReferences = false, .checkNames = false}));
}

TEST_CASE("what a command logs is the environment's to say, and the command line's over it") {
  AskedMachine machine;
  const auto levelOf = [&](const std::vector<std::string> &arguments, LogLevel least) {
    const auto known = machine.known(arguments, {.log = least});
    REQUIRE(known);
    return known->configuration.log.level;
  };
  machine.write("quiet.yaml", "log: {level: DEBUG}\n"); // the server's level
  for (const LogLevel least : {LogLevel::Warning, LogLevel::Error})
    CHECK(levelOf({"--config", "quiet.yaml"}, least) == least);
  CHECK(levelOf({"--set", "log.level=DEBUG"}, LogLevel::Error) == LogLevel::Debug);
  machine.surroundings.variables["SKILLHOST_LOG_LEVEL"] = "INFO";
  for (const LogLevel least : {LogLevel::Warning, LogLevel::Error})
    CHECK(levelOf({}, least) == LogLevel::Info);
  CHECK(levelOf({"--log-level", "DEBUG"}, LogLevel::Error) == LogLevel::Debug);
}

TEST_CASE("options of HTTP are no matter for a command that serves nobody") {
  const AskedMachine machine;
  CHECK(machine.known({"--port", "8080"}));
  const std::string file = machine.write("http.yaml", "http:\n  port: 8080\n");
  CHECK(machine.known({"--config", file})->warnings.empty());
}
