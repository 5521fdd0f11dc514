// SPDX-License-Identifier: Apache-2.0
#include "asked.hpp"
#include "catch2.hpp"
#include "validate.hpp"

using namespace made_up;
using Command = CatalogueInvocation::Command;

namespace {

std::string refusal(const AskedMachine &machine, const std::vector<std::string> &arguments) {
  const Result<CatalogueInvocation> result = machine.run(arguments);
  return result ? std::string{} : result.failure().message;
}

} // namespace

TEST_CASE("commands take their own arguments and the host's options") {
  const AskedMachine machine;
  Result<CatalogueInvocation> run =
      machine.run({"search", "merge", "PDF", "plugins", "--top-k", "9", "--json"});
  REQUIRE(run);
  CHECK(run->command == Command::Search);
  CHECK(run->search.query == "merge PDF plugins");
  CHECK(run->configuration.defaultTopK == 9);
  CHECK(run->json);
  run = machine.run({"skill", "info", "team/pdf", "--skills-dir", "s"});
  REQUIRE(run);
  CHECK(run->command == Command::SkillInfo);
  CHECK(run->skill == "team/pdf");
  CHECK(run->configuration.sources.size() == 1);
  CHECK(machine.run({"skill", "list", "--json"})->command == Command::SkillList);
  run = machine.run({"bom", "--json", "--files"});
  REQUIRE(run);
  CHECK((run->command == Command::Bom && run->json && run->bomFiles));
  CHECK_FALSE(machine.run({"bom"})->bomFiles);
  CHECK(!machine.run({"bom", "--files"}));
  CHECK(contains(refusal(machine, {"token"}), "unknown command token"));
  CHECK(refusal(machine, {}).find("another program") != std::string::npos);
  CHECK(machine.run({"source", "list"})->command == Command::SourceList);
  CHECK(machine.run({"source", "status"})->sources.empty());
  run = machine.run({"source", "refresh", "team", "private", "--json"});
  REQUIRE(run);
  CHECK(run->command == Command::SourceRefresh);
  CHECK(run->sources == std::vector<std::string>{"team", "private"});
  CHECK(!machine.run({"source"}));
  CHECK(machine.run({"plugins", "--json"})->command == Command::Plugins);
  CHECK(contains(refusal(machine, {"search"}), "say what to search for"));
  CHECK(contains(refusal(machine, {"search", "--evaluate"}), "name the file of questions"));
  CHECK(contains(refusal(machine, {"search", "x", "--against", "y"}), "--evaluate"));
  CHECK(contains(refusal(machine, {"search", "--evaluate", "--explain", "x"}), "one question"));
  CHECK(contains(refusal(machine, {"search", "--evaluate", "q", "--against", "no.yaml"}),
                 "no.yaml: No such file"));
  CHECK(contains(refusal(machine, {"skill"}), "skill list"));
  CHECK(contains(refusal(machine, {"skill", "info"}), "name the skill"));
  CHECK(
      contains(refusal(machine, {"plugins", "--config", "nope.yaml"}), "nope.yaml: No such file"));
}

TEST_CASE("an evaluation has its own folders, and compares how is searched alone") {
  const AskedMachine machine;
  const std::string own =
      machine.write("own.yaml", "sources: [{name: team, config: {directories: [/t]}}]\n"
                                "search: {config: {k1: 1}}\nusual_folders: true\n");
  machine.write("other.yaml", "skills_dirs: [/o]\nsearch: {plugin: hybrid}\n");
  Result<CatalogueInvocation> run =
      machine.run({"search", "--evaluate", "q.jsonl", "--config", own, "--against", "other.yaml"});
  REQUIRE(run);
  CHECK(run->search.questions == machine.folder + "/q.jsonl");
  CHECK(run->search.query.empty());
  CHECK(run->configuration.sources.at(0).name == "team");
  REQUIRE(run->search.other);
  CHECK(run->search.other->search.plugin == "hybrid");
  CHECK(run->search.other->sources.size() == run->configuration.sources.size());
  CHECK(run->configuration.search.config["k1"] == 1);

  run = machine.run({"search", "--evaluate", "a", "b", "a", "q.jsonl", "--config", own});
  REQUIRE(run);
  CHECK(!run->search.other);
  REQUIRE(run->configuration.sources.size() == 2);
  CHECK(run->configuration.sources[0].config["directories"][0] == machine.folder + "/a");
  CHECK(run->configuration.sources[1].config["directories"][0] == machine.folder + "/b");
  CHECK(run->configuration.search.config["k1"] == 1);
  run = machine.run({"search", "why", "this", "--explain"});
  REQUIRE(run);
  CHECK((run->search.explain && run->search.query == "why this" && run->search.questions.empty()));
}

TEST_CASE("what a command logs is the environment's to say, and the command line's over it") {
  AskedMachine machine;
  const auto levelOf = [&](const std::vector<std::string> &arguments) {
    const auto run = machine.run(arguments);
    REQUIRE(run);
    return run->configuration.log.level;
  };
  machine.write("quiet.yaml", "log: {level: DEBUG}\n"); // the server's
  for (const char *command : {"list", "doctor"})
    CHECK(levelOf({command, "--config", "quiet.yaml"}) == LogLevel::Error);
  CHECK(levelOf({"plugins", "--config", "quiet.yaml"}) == LogLevel::Warning);
  CHECK(levelOf({"doctor", "--set", "log.level=DEBUG"}) == LogLevel::Debug);
  machine.surroundings.variables["SKILLHOST_LOG_LEVEL"] = "INFO";
  for (const char *command : {"list", "update", "doctor", "plugins"})
    CHECK(levelOf({command}) == LogLevel::Info);
  CHECK(levelOf({"doctor", "--log-level", "DEBUG"}) == LogLevel::Debug);
}

TEST_CASE("options of HTTP are no matter for a command that serves nobody") {
  const AskedMachine machine;
  CHECK(machine.run({"--port", "8080", "plugins"}));
  const std::string file = machine.write("http.yaml", "http:\n  port: 8080\n");
  CHECK(machine.run({"--config", file, "plugins"})->warnings.empty());
}

TEST_CASE("a new skill has nothing for validate to say, and takes nobody's place") {
  const AskedMachine machine;
  const auto run = machine.run({"skill", "new", "pdf-forms", "--in", "skills"});
  REQUIRE(run);
  REQUIRE(run->command == Command::NewSkill);
  const Result<std::string> made = makeSkill(run->newSkill);
  REQUIRE(made);
  CHECK(*made == machine.folder + "/skills/pdf-forms/SKILL.md");
  const ValidationReport report = validatePaths({machine.folder + "/skills"}, Strictness::Strict,
                                                ReportForm::Text, machine.folder);
  CHECK(report.text == "1 skill checked: 0 errors, 0 warnings\n");

  CHECK(makeSkill(run->newSkill).failure().fault == Fault::AlreadyExists);
  const auto refused = makeSkill({"Pdf Forms", machine.folder, ""});
  REQUIRE(!refused);
  CHECK(!std::filesystem::exists(machine.folder + "/Pdf Forms"));
  CHECK(makeSkill({"odd", machine.folder, "Says \"hi\": # and more. Use it when asked."}));
  CHECK(contains(machine.run({"skill", "new"}).failure().message, "name the skill"));
}
