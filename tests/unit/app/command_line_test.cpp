// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "base/fault.hpp"
#include "command_line/program.hpp"
#include "commanded.hpp"
#include "commandline/description.hpp"
#include "commandline/separate_program.hpp"

#include <chrono>
#include <filesystem>
#include <utility>

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

TEST_CASE("a program of its own gets the arguments as they were given") {
  const CommandedMachine machine;
  machine.describe("model", separate("model", "model", ServerOptions::Refused));
  machine.describe("login", separate("login", "connect", ServerOptions::Refused));
  machine.describe("list", separate("list", "catalogue", ServerOptions::Taken));
  machine.describe("validate", separate("validate", "validate", ServerOptions::Ignored));
  CommandDescription group = separate("skill", "", ServerOptions::Refused);
  group.isGroup = true;
  group.inheritsOptions = true;
  machine.describe("skill", group);
  machine.describe("skill.list", separate("list", "catalogue", ServerOptions::Taken));
  machine.describe("skill.validate", separate("validate", "validate", ServerOptions::Ignored));
  using Words = std::vector<std::string>;
  // skillhost passes unknown words on; the program refuses words that the description of the
  // command does not have.
  for (const auto &[words, program] : std::vector<std::pair<Words, std::string>>{
           {{"model", "fetch", "--index-url", "http://a", "x y"}, "model"},
           {{"model", "--", "npx", "--help"}, "model"},
           {{"login", "--what"}, "connect"},
           {{"--config", "c.yaml", "list"}, "catalogue"},
           {{"-vc", "model", "--top-k=3", "list", "x"}, "catalogue"},
           {{"-cmodel", "list"}, "catalogue"},
           {{"--help", "list"}, "catalogue"},
           {{"skill", "list"}, "catalogue"},
           {{"-v", "skill", "--expose", "skills", "list", "x"}, "catalogue"},
           {{"skill", "validate", "x"}, "validate"}}) {
    INFO(words.back());
    const Result<Invocation> handed = machine.run(words);
    REQUIRE(handed);
    CHECK(handed->command == Command::Program);
    CHECK(handed->program.name == program);
    CHECK(handed->program.arguments == words);
    CHECK(handed->program.file.empty());
  }
  const auto argumentsOf = [&](const Words &words) {
    const Result<Invocation> handed = machine.run(words);
    REQUIRE(handed);
    REQUIRE(handed->command == Command::Program);
    return handed->program.arguments;
  };
  // Options before a command that does not know them are ignored, refused, or a question.
  CHECK(argumentsOf({"--config", "validate", "validate", "validate"}) ==
        Words{"validate", "validate"});
  CHECK(argumentsOf({"-v", "skill", "--hidden", "-c", "c.yaml", "validate", "x"}) ==
        Words{"skill", "validate", "x"});
  CHECK(argumentsOf({"--help", "model", "list"}) == Words{"model", "--help", "list"});
  CHECK(argumentsOf({"--help", "model", "--", "npx"}) == Words{"model", "--help", "--", "npx"});
  CHECK(argumentsOf({"-h", "skill", "validate", "--", "x"}) ==
        Words{"skill", "validate", "--help", "--", "x"});
  CHECK(contains(text(machine, {"--version", "model"}), "skillhost "));
  CHECK(contains(text(machine, {"--config-schema", "model"}), "2020-12"));
  CHECK(
      contains(refusal(machine, {"--verbose", "model", "list"}), "takes no options of the server"));
  CHECK(contains(refusal(machine, {"--hiden", "validate", "x"}), "did you mean \"--hidden\"?"));
  CHECK(machine.run({"-v", "skill", "-v", "validate"})->program.command == "skill validate");
  CHECK(contains(refusal(machine, {"skill"}), "choose a command, such as skill list\nRun"));
  CHECK(contains(refusal(machine, {"skill", "lst"}), "unknown command lst - did you mean"));
  CHECK(contains(text(machine, {"skill", "--help"}), "\nCommands:\n  list "));
  CHECK(contains(text(machine, {"skill", "-V"}), "skillhost "));
}

TEST_CASE("programs and files of commands are found by the place of skillhost") {
  const CommandedMachine machine;
  using Places = std::vector<std::string>;
  const Places installed = programPlaces("/opt/bin/skillhost", "runner", "isolation");
  REQUIRE(installed.size() == 1);
  CHECK(installed.front().starts_with("/opt/lib"));
  CHECK(installed.front().ends_with("/skillhost/skillhost-runner"));
  CHECK(programPlaces("/src/build/host/skillhost", "runner", "isolation").back() ==
        "/src/build/isolation/skillhost-runner");
  CHECK(programPlaces("/src/build/host/skillhost", "model", "programs/model").back() ==
        "/src/build/programs/model/skillhost-model");
  using Folders = std::vector<CommandFolder>;
  const std::string share = machine.folder + "/share";
  const CommandFolder ours{share + "/skillhost/commands", DescriptionBy::Us};
  SearchRoots roots{machine.folder + "/bin/skillhost", "", "/data"};
  CHECK(commandFolders(roots) ==
        Folders{ours, {"/data/skillhost/commands", DescriptionBy::Others}});
  roots.dataHome.clear();
  CHECK(commandFolders(roots) == Folders{ours});
  machine.write("build/programs/b/b.json", "");
  machine.write("build/programs/a/a.json", "");
  machine.write("build/programs/file", "");
  roots.executable = machine.folder + "/build/host/skillhost";
  const std::string built = machine.folder + "/build/programs/";
  CHECK(commandFolders(roots) == Folders{{built + "a"}, {built + "b"}});

  // The program is installed into ~/.local, where the data folder of the user is.
  machine.write("share/skillhost/commands/a.json", "");
  std::filesystem::create_symlink(share, machine.folder + "/link");
  roots.executable = machine.folder + "/bin/skillhost";
  for (const char *same : {"/share", "/share/", "/bin/../share", "/link"}) {
    INFO(same);
    machine.write("bin/skillhost", "");
    roots.dataHome = machine.folder + same;
    CHECK(commandFolders(roots) == Folders{ours});
  }
  std::filesystem::create_directory(machine.folder + "/other");
  std::filesystem::create_symlink(share + "/skillhost", machine.folder + "/other/skillhost");
  roots.dataHome = machine.folder + "/other";
  CHECK(commandFolders(roots) == Folders{ours});
}

TEST_CASE("a program of somebody else's on PATH is a command") {
  CommandedMachine machine;
  const std::string file = machine.offer("bake");
  const auto run = machine.run({"bake", "--degrees", "200", "--", "x"});
  REQUIRE(run);
  REQUIRE(run->command == Command::Program);
  CHECK(run->program.file == file);
  CHECK(run->program.arguments == std::vector<std::string>{"--degrees", "200", "--", "x"});
  CHECK(run->warnings.empty());
  // The command takes no options of the server, whatever its description says.
  const std::string described = "home/.local/share/skillhost/commands/bake.json";
  for (const ServerOptions options : {ServerOptions::Taken, ServerOptions::Refused}) {
    CHECK(contains(refusal(machine, {"-v", "bake"}), "takes no options of the server"));
    machine.write(described, descriptionText(separate("bake", "", options)));
  }
  CHECK(machine.run({"--help", "bake", "x"})->program.arguments ==
        std::vector<std::string>{"--help", "x"});
  CHECK(contains(text(machine, {"--help"}), "\n  bake "));
  CHECK(contains(text(machine, {"completion", "bash"}), "path=' bake'"));
  CHECK(contains(refusal(machine, {"bak"}), "did you mean \"bake\"?"));

  machine.surroundings.variables["XDG_DATA_HOME"] = "/nowhere";
  CHECK(!contains(text(machine, {"--help"}), "\n  bake "));
  machine.surroundings.variables.erase("XDG_DATA_HOME");

  // The installed command is found first.
  machine.describe("bake", separate("bake", "token", ServerOptions::Refused));
  CHECK(machine.run({"bake"})->program.name == "token");
  CHECK(machine.run({"bake"})->program.file.empty());
  const auto help = machine.run({"--help"});
  REQUIRE(help);
  REQUIRE(help->warnings.size() == 1);
  CHECK(
      contains(help->warnings[0], "/home/.local/share/skillhost/commands/bake.json: is left out"));
}

TEST_CASE("names that are no commands start no program") {
  CommandedMachine machine;
  machine.offer("a");
  machine.offer("A");
  machine.offer("a--b");
  machine.offer("serve");
  machine.offer("..");
  machine.write("elsewhere/skillhost-/../x", "");
  machine.write("elsewhere/skillhost-flat", "not executable");
  std::filesystem::create_directory(machine.folder + "/elsewhere/skillhost-folder");
  REQUIRE(machine.run({"a"}));
  CHECK(machine.run({"serve"})->command == Command::Serve);
  for (const char *word : {"A", "a--b", "..", "../x", "/x", "a/../a", "a b", "-", "", "flat",
                           "folder", "gone", "a\nb"}) {
    INFO(word);
    CHECK(!machine.run({word}));
  }
  // Relative folders of PATH depend on the working directory, which somebody else may have made.
  machine.surroundings.variables["PATH"] = "elsewhere:.::/nowhere";
  CHECK(contains(refusal(machine, {"a"}), "unknown command a"));
  machine.surroundings.variables.erase("PATH");
  CHECK(contains(refusal(machine, {"a"}), "unknown command a"));
  machine.describe("a", separate("a", "", ServerOptions::Refused));
  CHECK(refusal(machine, {"a"}) == "the command a is a program of its own, skillhost-a, which is "
                                   "in no folder of PATH");
}

TEST_CASE("a file that describes a command wrongly is named, and the others count") {
  CommandedMachine machine;
  machine.describe("good", separate("good", "good", ServerOptions::Refused));
  const std::string bad = machine.write("share/skillhost/commands/bad.json", "{\"name\": ");
  const auto help = machine.run({"--help"});
  REQUIRE(help);
  CHECK(contains(help->text, "\n  good "));
  CHECK(!contains(help->text, "\n  bad "));
  REQUIRE(help->warnings.size() == 1);
  CHECK(help->warnings[0].starts_with(bad + ": "));
  const auto script = machine.run({"completion", "zsh"});
  REQUIRE(script);
  CHECK(contains(script->text, "good"));
  CHECK(script->warnings == help->warnings);
  CHECK(machine.run({"good"})->warnings.empty());
  // It may be the command that the user meant.
  CHECK(contains(refusal(machine, {"bad"}), "unknown command bad"));
  CHECK(contains(refusal(machine, {"bad"}), bad + ": "));
  machine.offer("bad");
  const auto run = machine.run({"bad"});
  REQUIRE(run);
  CHECK(run->command == Command::Program);
  CHECK(run->warnings == help->warnings);
  // Serving reads no description.
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"-v"}, std::vector<std::string>{"serve"}}) {
    const auto served = machine.run(words);
    REQUIRE(served);
    for (const std::string &warning : served->warnings) CHECK(!contains(warning, bad));
  }
}

TEST_CASE("what is not understood is refused with a hint") {
  const CommandedMachine machine;
  CHECK(refusal(machine, {"--exopse", "both"}) ==
        "unknown option --exopse - did you mean \"--expose\"?\n"
        "Run `skillhost --help` for what is accepted.");
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
  CHECK(contains(refusal(machine, {"--config", "nope.yaml"}), "nope.yaml: No such file"));
}

TEST_CASE("an empty path is refused, unless it means that there is none") {
  for (const char *const option : {"--skills-dir", "--config"}) {
    const auto given = Machine::parse({option, ""});
    INFO(option);
    REQUIRE_FALSE(given);
    CHECK(contains(given.failure().message, std::string(option) + ": \"\" must not be empty"));
  }
  CHECK(Machine::parse({"--project-root", ""}));
}

TEST_CASE("help names every option and command, each command its own") {
  const CommandedMachine machine;
  machine.describe("token", separate("token", "token", ServerOptions::Refused));
  const CommandDescription program = programDescription();
  const std::string help = text(machine, {"--help"});
  CHECK(contains(help, "\n  token                     Do something else.\n"));
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
                                             {"--set", "http.proxy_protocol=true"},
                                             {"--transport", "stdio", "--port", "1"}}) {
    INFO(words.front());
    CHECK(contains(refusal(machine, words), ": this option is for HTTP, but the server would serve "
                                            "one client on standard input: add --transport http"));
  }
  CHECK(machine.run({"--port", "8080", "--transport", "http"}));
  const std::string file = machine.write("http.yaml", "http:\n  port: 8080\n");
  const auto warned = machine.run({"--config", file});
  REQUIRE(warned);
  REQUIRE(warned->warnings.size() == 1);
  CHECK(contains(warned->warnings[0], file + ":2:9: http.port: this key has no effect"));
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
