// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "base/fault.hpp"
#include "command_line/program.hpp"
#include "commanded.hpp"
#include "commandline/description.hpp"
#include "separate_program.hpp"

#include <chrono>

using namespace made_up;
using Command = Invocation::Command;

namespace {

std::string refusal(const CommandedMachine &machine, const std::vector<std::string> &arguments) {
  const Result<Invocation> result = machine.run(arguments);
  return result ? std::string{} : result.failure().message;
}
std::string text(const CommandedMachine &machine, const std::vector<std::string> &arguments) {
  const Result<Invocation> result = machine.run(arguments);
  return result && result->command == Command::Print ? result->text : std::string{};
}

} // namespace

TEST_CASE("serve is what happens when no command is named") {
  const CommandedMachine machine;
  for (const std::vector<std::string> &arguments :
       {std::vector<std::string>{"--skills-dir", "a", "--expose=both"},
        {"serve", "--skills-dir", "a", "--expose", "both"},
        {"--skills-dir=a", "serve", "--expose=both"}}) {
    const Result<Invocation> run = machine.run(arguments);
    REQUIRE(run);
    CHECK(run->command == Command::Serve);
    CHECK(run->configuration.expose == Expose::Both);
    REQUIRE(run->configuration.sources.size() == 1);
    CHECK(run->configuration.sources[0].config["directories"][0] == machine.folder + "/a");
  }
  CHECK(machine.run({})->command == Command::Serve);
}

TEST_CASE("options reach the configuration") {
  const CommandedMachine machine;
  const Result<Invocation> run = machine.run({"--strict",
                                              "--top-k",
                                              "7",
                                              "-v",
                                              "--log-format",
                                              "JSON",
                                              "--set",
                                              "limits.max_depth=20",
                                              "--set",
                                              "search.config={a: [1]}",
                                              "--exclude",
                                              "*/x,y",
                                              "--exclude",
                                              "*/z",
                                              "--project-root",
                                              "",
                                              "--max-skill-content-chars",
                                              "5",
                                              "--search",
                                              "none",
                                              "--paths",
                                              "uri",
                                              "--plugins-dir",
                                              "p",
                                              "--include",
                                              "*"});
  REQUIRE(run);
  const Configuration &c = run->configuration;
  CHECK(c.strict);
  CHECK(c.defaultTopK == 7);
  CHECK(c.log.level == LogLevel::Debug);
  CHECK(c.log.format == log::Format::JsonLines);
  CHECK(c.limits.depth == 20);
  CHECK(c.search.config["a"] == Json::array({1}));
  CHECK(c.search.plugin == "none");
  CHECK(c.excludeSkills == std::vector<std::string>{"*/x,y", "*/z"});
  CHECK(c.includeSkills == std::vector<std::string>{"*"});
  CHECK(c.projectRoot->empty());
  CHECK(c.maxSkillContentChars == 5U);
  CHECK(c.paths == Paths::Uri);
  CHECK(c.plugins.directories == std::vector<std::string>{machine.folder + "/p"});
  CHECK_FALSE(machine.run({"--strict=false"})->configuration.strict);
}

TEST_CASE("a program of its own gets what it was given, when that is right") {
  const CommandedMachine machine;
  const Result<Invocation> run = machine.run({"model", "fetch", "--index-url", "http://a", "x y"});
  REQUIRE(run);
  CHECK(run->command == Command::Program);
  CHECK(run->program.name == "model");
  CHECK(run->program.arguments ==
        std::vector<std::string>{"model", "fetch", "--index-url", "http://a", "x y"});
  const std::vector<std::string> started{"generate", "docs", "--", "npx", "--url", "--what"};
  REQUIRE(machine.run(started));
  CHECK(machine.run(started)->program.arguments == started);
  CHECK(machine.run({"login", "https://a"})->program.name == "connect");
  for (const auto &[words, program] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--config", "c.yaml", "list"}, "catalogue"},
           {{"--top-k", "3", "search", "x"}, "catalogue"},
           {{"skill", "list"}, "catalogue"},
           {{"skill", "list", "--skill-dir", "s"}, "store"},
           {{"skill", "new", "x"}, "catalogue"},
           {{"skill", "save", "x"}, "store"},
           {{"key", "new"}, "store"},
           {{"skill", "validate", "x"}, "validate"},
           {{"client-config", "json", "--skills-dir", "s"}, "catalogue"}}) {
    INFO(words.back());
    const Result<Invocation> handed = machine.run(words);
    REQUIRE(handed);
    CHECK(handed->command == Command::Program);
    CHECK(handed->program.name == program);
    CHECK(handed->program.arguments == words);
  }
  CHECK(machine.run({"--config", "validate", "validate", "validate"})->program.arguments ==
        std::vector<std::string>{"validate", "validate"});
  const auto between = machine.run({"-v", "skill", "--hidden", "-c", "c.yaml", "validate", "x"});
  REQUIRE(between);
  CHECK(between->program.command == "skill validate");
  CHECK(between->program.arguments == std::vector<std::string>{"skill", "validate", "x"});
  CHECK(contains(refusal(machine, {"generate", "docs", "--outptu", "x"}), "--output"));
  CHECK(contains(text(machine, {"model", "check", "--help"}), "Usage: skillhost model check"));
  CHECK(contains(refusal(machine, {"model", "fetch", "--forse"}), "did you mean \"--force\"?"));
  CHECK(
      contains(refusal(machine, {"--verbose", "model", "list"}), "takes no options of the server"));
  CHECK(programPlaces("/opt/bin/skillhost", "model").size() == 1);
  CHECK(
      programPlaces("/opt/bin/skillhost", "model").front().ends_with("/skillhost/skillhost-model"));
  CHECK(programPlaces("/src/build/host/skillhost", "model").back() ==
        "/src/build/programs/model/skillhost-model");
}

TEST_CASE("what is not understood is refused with a hint") {
  const CommandedMachine machine;
  CHECK(refusal(machine, {"--exopse", "both"}) ==
        "unknown option --exopse - did you mean \"--expose\"?\n"
        "Run `skillhost --help` for what is accepted.");
  CHECK(contains(refusal(machine, {"search", "x", "--jsn"}), "did you mean \"--json\"?"));
  CHECK(contains(refusal(machine, {"validate", "x", "--expose=both"}), "unknown option --expose"));
  CHECK(contains(refusal(machine, {"srve"}), "unknown command srve - did you mean \"serve\"?"));
  CHECK(contains(refusal(machine, {"serve", "more"}), "unexpected argument more"));
  CHECK(
      contains(refusal(machine, {"--expose", "x"}), "--expose: expected gateway, skills or both"));
  CHECK(contains(refusal(machine, {"--watch", "x"}), "--watch: expected auto"));
  CHECK(contains(refusal(machine, {"--top-k", "0"}), "--top-k: expected a whole number from 1"));
  CHECK(contains(refusal(machine, {"--top-k"}), "--top-k"));
  CHECK(contains(refusal(machine, {"--set", "x"}), "--set KEY=VALUE"));
  CHECK(contains(refusal(machine, {"--set", "expsoe=x"}), "did you mean \"expose\"?"));
  CHECK(contains(refusal(machine, {"completion"}), "bash, zsh or fish"));
  CHECK(contains(refusal(machine, {"completion", "csh"}), "SHELL: expected bash, zsh or fish"));
  CHECK(contains(refusal(machine, {"client-config", "curser"}), "did you mean \"cursor\"?"));
  CHECK(contains(refusal(machine, {"--config", "nope.yaml"}), "nope.yaml: No such file"));
}

TEST_CASE("help names every option and command, each command its own") {
  const CommandedMachine machine;
  const CommandDescription program = programDescription();
  const std::string help = text(machine, {"--help"});
  for (const ArgumentDescription &option : program.options)
    for (const std::string &name : option.names) {
      INFO(name);
      CHECK((contains(help, "  " + name) || contains(help, ", " + name)));
    }
  for (const CommandDescription &command : program.commands) {
    CHECK(contains(help, "\n  " + command.name + ' '));
    const std::string own = text(machine, {command.name, "--help"});
    INFO(command.name);
    CHECK(contains(own, "Usage: skillhost " + command.name));
    for (const ArgumentDescription &option : command.options)
      CHECK(contains(own, option.names.back()));
  }
  CHECK(contains(text(machine, {"skill", "info", "-h"}), "Usage: skillhost skill info"));
  CHECK(contains(help, "Exit codes:"));
  CHECK(contains(help, "Examples:"));
}

TEST_CASE("what is only printed needs no configuration") {
  CommandedMachine machine;
  machine.surroundings.variables["SKILLHOST_CONFIG"] = "missing.yaml";
  CHECK(text(machine, {"--version"}).substr(0, 10) == "skillhost ");
  CHECK(!contains(text(machine, {"--version"}), "commit"));
  machine.surroundings.commit = "0123456789ab";
  CHECK(contains(text(machine, {"--version"}), " (commit 0123456789ab)\n"));
  CHECK(text(machine, {"-V"}) == text(machine, {"--version"}));
  CHECK(contains(text(machine, {"--help", "--config", "gone"}), "Usage:"));
  CHECK(contains(text(machine, {"--example-config"}), "\nexpose: gateway\n"));
  CHECK(contains(text(machine, {"--example-config=markdown"}), "| `expose` |"));
  const Result<Json> example = parseJson(text(machine, {"--example-config=json"}));
  REQUIRE(example);
  CHECK((*example)["expose"] == "gateway");
  CHECK(contains(text(machine, {"--config-schema"}), "2020-12"));
  CHECK(contains(text(machine, {"completion", "bash"}), "complete -F"));
  CHECK(contains(refusal(machine, {"--print-config"}), "missing.yaml"));
}

TEST_CASE("the configuration in effect is printed on request") {
  // Where a command writes something, it does that.
  for (const std::vector<std::string> &writing :
       {std::vector<std::string>{"client-config", "json", "--print-config"},
        std::vector<std::string>{"--print-config", "skill", "new", "a-skill"}}) {
    const auto run = CommandedMachine().run(writing);
    REQUIRE(run);
    CHECK(run->command == Command::Program);
  }
  const CommandedMachine machine;
  const std::string printed = text(machine, {"--print-config", "--skills-dir", "team"});
  CHECK(contains(printed, "- name: team\n"));
  CHECK(contains(printed, "directories: [" + machine.folder + "/team]"));
}

TEST_CASE("options of HTTP do not serve standard input in silence") {
  const CommandedMachine machine;
  for (const auto &words :
       std::vector<std::vector<std::string>>{{"--port", "8080"},
                                             {"serve", "--listen", "0.0.0.0"},
                                             {"--public-url", "https://a.b/mcp"},
                                             {"--allow-anonymous"},
                                             {"--tls-key", "k"},
                                             {"--set", "http.console=on"},
                                             {"--transport", "stdio", "--port", "1"}}) {
    INFO(words.front());
    CHECK(contains(refusal(machine, words), ": is for HTTP, and this would serve one client on "
                                            "standard input: add --transport http"));
  }
  CHECK(machine.run({"--port", "8080", "--transport", "http"}));
  const std::string file = machine.write("http.yaml", "http:\n  port: 8080\n");
  const auto warned = machine.run({"--config", file});
  REQUIRE(warned);
  REQUIRE(warned->warnings.size() == 1);
  CHECK(contains(warned->warnings[0], file + ":2:9: http.port: is left alone"));
  CHECK(machine.run({"--config", file, "--transport", "http"})->warnings.empty());
  CHECK(machine.run({"--config", file, "--transport", "stdio"})->warnings.empty());
}

TEST_CASE("a folder or a repository in place of a command is told how it is named") {
  const CommandedMachine machine;
  CHECK(contains(refusal(machine, {"./skills"}),
                 "unknown command ./skills: to serve the skills of a folder write --skills-dir "
                 "./skills"));
  CHECK(contains(refusal(machine, {"serve", "~/skills"}), "write --skills-dir ~/skills"));
  for (const char *word : {"anthropics/skills", "https://github.com/a/b"})
    CHECK(contains(refusal(machine, {word}), "write `skillhost add " + std::string(word) + '`'));
  CHECK(contains(refusal(machine, {"serv"}), "unknown command serv - did you mean \"serve\"?"));
}
