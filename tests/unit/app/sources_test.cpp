// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "configuration/source_names.hpp"
#include "made_up.hpp"

using namespace made_up;

TEST_CASE("sources are read in order, with defaults") {
  const Machine machine;
  const auto read = machine.read("sources:\n"
                                 "  - name: team\n"
                                 "    config: {directories: [./skills, /abs, plain]}\n"
                                 "  - {name: other, plugin: org.example.git, enabled: false}\n"
                                 "  - {name: own, plugin: lib/own.so}\n");
  REQUIRE(read);
  const auto &sources = read->configuration.sources;
  REQUIRE(sources.size() == 3);
  CHECK(sources[0].plugin == "filesystem");
  CHECK(sources[0].enabled);
  CHECK(sources[0].config["directories"] ==
        Json::array({machine.folder + "/skills", "/abs", "plain"}));
  CHECK(sources[1].plugin == "org.example.git");
  CHECK_FALSE(sources[1].enabled);
  CHECK(sources[1].config == Json::object());
  CHECK(sources[2].plugin == machine.folder + "/lib/own.so");
}

TEST_CASE("a source needs a valid name of its own") {
  const Machine machine;
  CHECK(machine.problem("sources:\n  - plugin: filesystem\n") ==
        "skillhost.yaml:2:5: sources[0]: a name is missing: write for instance \"name: "
        "team-skills\"");
  for (const char *name : {"Team", "a/b", "\"\"", "..", "-a", "_a", "\"a b\"", "\u00e9"}) {
    INFO(name);
    CHECK(contains(machine.problem(std::string("sources:\n  - name: ") + name),
                   "skillhost.yaml:2:11: sources[0].name: "));
  }
  CHECK(machine.problem("sources: [{name: " + std::string(64, 'a') + "}]").empty());
  CHECK(contains(machine.problem("sources: [{name: " + std::string(65, 'a') + "}]"),
                 "longer than 64"));
  CHECK(machine.problem("sources: [{name: 0a.b_c-d}]").empty());
  CHECK(contains(machine.problem("sources:\n  - name: a\n  - name: a\n"),
                 "skillhost.yaml:3:5: sources[1]: a source before this one is named \"a\" too"));
  CHECK(contains(machine.problem("sources: [team]"), "expected a map with a name"));
}

TEST_CASE("folders become sources before the others, the command line's first") {
  Machine machine;
  CommandLineSettings given;
  given.file = machine.write("c.yaml", "skills_dirs: [/f/skills, /shared]\n"
                                       "sources: [{name: skills}]\n");
  machine.surroundings.variables["SKILLHOST_SKILLS_DIR"] = "/e/My Skills!";
  given.options = {{"--skills-dir", "skills_dirs", {"/c:d/skills", "/shared"}}};
  given.hidden = true;
  given.watch = "poll";
  const auto read = readConfiguration(given, machine.surroundings);
  REQUIRE(read);
  std::string seen;
  for (const SourceConfiguration &source : read->configuration.sources)
    seen += source.name + '=' + source.config.dump() + '\n';
  const std::string rest = R"(],"hidden":true,"watch":"poll"})";
  CHECK(seen == "skills-2={\"directories\":[\"/c:d/skills\"" + rest +
                    "\nshared={\"directories\":[\"/shared\"" + rest +
                    "\nmy-skills={\"directories\":[\"/e/My Skills!\"" + rest +
                    "\nskills-3={\"directories\":[\"/f/skills\"" + rest + "\nskills={}\n");
  CHECK(read->configuration.skillsDirs.empty());
}

TEST_CASE("any path gives a valid name") {
  const auto name = [](const char *path) { return nameForPath(path, {}); };
  CHECK(name("/home/me/.claude/skills/") == "skills");
  CHECK(name("/home/me/.claude") == "claude");
  CHECK(name("/") == "skills");
  CHECK(name("/\u00fc") == "skills");
  CHECK(name("/A  b") == "a-b");
  CHECK(name(("/" + std::string(200, 'x')).c_str()).size() <= 64);
}
