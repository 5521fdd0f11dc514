// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "base/fault.hpp"
#include "made_up.hpp"

using namespace made_up;

namespace {

std::vector<std::string> names(const Configuration &configuration) {
  std::vector<std::string> out;
  for (const SourceConfiguration &source : configuration.sources) out.push_back(source.name);
  return out;
}

} // namespace

TEST_CASE("command line over environment over file over defaults") {
  Machine machine;
  CommandLineSettings given;
  given.file = machine.write("c.yaml", "expose: skills\npage_size: 7\ndefault_top_k: 4\n");
  machine.surroundings.variables["SKILLHOST_EXPOSE"] = "both";
  machine.surroundings.variables["SKILLHOST_DEFAULT_TOP_K"] = "5";
  machine.surroundings.variables["SKILLHOST_STRICT"] = ""; // empty counts as unset
  given.options = {{"--top-k", "default_top_k", {"6"}}};
  const auto read = readConfiguration(given, machine.surroundings);
  REQUIRE(read);
  CHECK(read->file == *given.file);
  CHECK(read->configuration.defaultTopK == 6);
  CHECK(read->configuration.expose == Expose::Both);
  CHECK(read->configuration.pageSize == 7);
  CHECK(read->configuration.startupWaitMs == 2'000);
  CHECK_FALSE(read->configuration.strict);
}

TEST_CASE("null and absence are the default") {
  const Machine machine;
  const auto read = machine.read("expose: null\nlimits: ~\nlog:\nmax_skill_content_chars: null\n");
  REQUIRE(read);
  CHECK(read->configuration.expose == Expose::Gateway);
  CHECK(read->configuration.limits.depth == 10);
  CHECK_FALSE(read->configuration.maxSkillContentChars);
  CHECK(machine.read("max_skill_content_chars: 50")->configuration.maxSkillContentChars == 50U);
}

TEST_CASE("the file is found in the user's own configuration when none is named") {
  Machine machine;
  const auto top = [&](const CommandLineSettings &given = {}) {
    return readConfiguration(given, machine.surroundings)->configuration.defaultTopK;
  };
  CHECK(top() == 3);
  machine.write("home/.config/skillhost/skillhost.yaml", "default_top_k: 8");
  CHECK(top() == 8);
  machine.surroundings.variables["XDG_CONFIG_HOME"] = machine.folder + "/xdg";
  CHECK(top() == 3);
  machine.write("xdg/skillhost/skillhost.yaml", "default_top_k: 9");
  CHECK(top() == 9);
  machine.surroundings.variables["SKILLHOST_CONFIG"] =
      machine.write("named.yaml", "default_top_k: 10");
  CHECK(top() == 10);
  CommandLineSettings given;
  given.file = machine.write("given.yaml", "default_top_k: 11");
  CHECK(top(given) == 11);
  given.noFile = true;
  CHECK(top(given) == 3);
}

TEST_CASE("texts of the environment are read by the type of their key") {
  Machine machine;
  auto &variables = machine.surroundings.variables;
  variables["SKILLHOST_STRICT"] = "1";
  variables["SKILLHOST_SKILLS_DIR"] = "~/one:two";
  variables["SKILLHOST_EXCLUDE_SKILLS"] = "one/*,two/c";
  variables["SKILLHOST_LOG_LEVEL"] = "debug";
  variables["SKILLHOST_INSTRUCTIONS"] = "5"; // a text, though it looks like a number
  variables["SKILLHOST_LIMITS_TOOL_ARRAY_LIMITS"] = "{load_skill: 7}";
  variables["SKILLHOST_SEARCH_CONFIG"] = R"({"k1": 1.2})";
  const auto read = readConfiguration({}, machine.surroundings);
  REQUIRE(read);
  const Configuration &c = read->configuration;
  CHECK(c.strict);
  CHECK(names(c) == std::vector<std::string>{"one", "two"});
  CHECK(c.sources[0].config["directories"][0] == machine.folder + "/home/one");
  CHECK(c.sources[1].config["directories"][0] == machine.folder + "/two");
  CHECK(c.excludeSkills == std::vector<std::string>{"one/*", "two/c"});
  CHECK(c.log.level == LogLevel::Debug);
  CHECK(c.instructions == std::string("5"));
  CHECK(c.limits.toolArrayItems.at("load_skill") == 7);
  CHECK(c.search.config["k1"] == 1.2);
}

TEST_CASE("strict is short for the strict rules, and contradicts no other rules in silence") {
  const Machine machine;
  const auto rules = [&](const std::string &file) {
    const auto read = machine.read(file);
    REQUIRE(read);
    return read->configuration.skillRules;
  };
  CHECK(rules("page_size: 5\n") == Strictness::Lenient);
  CHECK(rules("skill_rules: basic\n") == Strictness::Basic);
  CHECK(rules("strict: true\n") == Strictness::Strict);
  CHECK(rules("strict: true\nskill_rules: strict\n") == Strictness::Strict);
  CHECK(rules("strict: false\nskill_rules: basic\n") == Strictness::Basic);
  const std::string problem = machine.problem("skill_rules: basic\nstrict: true\n");
  INFO(problem);
  CHECK(contains(problem, "2:9: strict: means skill_rules: strict"));
  CHECK(contains(problem, "1:14: skill_rules says something else"));
}

TEST_CASE("a variable that means nothing is a warning with a suggestion") {
  Machine machine;
  machine.surroundings.variables["SKILLHOST_EXPSE"] = "both";
  const auto read = readConfiguration({}, machine.surroundings);
  REQUIRE(read);
  REQUIRE_FALSE(read->warnings.empty());
  CHECK(contains(read->warnings[0], "SKILLHOST_EXPSE is unknown and has no effect - did you mean "
                                    "\"SKILLHOST_EXPOSE\"?"));
}

TEST_CASE("relative paths begin at the file's folder, or at the working directory") {
  Machine machine;
  CommandLineSettings given;
  given.file = machine.write("etc/c.yaml", "project_root: ..\nplugins: {directories: [plugins]}\n"
                                           "search: {plugin: ./mine.so}\n");
  auto read = readConfiguration(given, machine.surroundings);
  REQUIRE(read);
  CHECK(read->configuration.projectRoot == machine.folder);
  CHECK(read->configuration.plugins.directories.at(0) == machine.folder + "/etc/plugins");
  CHECK(read->configuration.search.plugin == machine.folder + "/etc/mine.so");
  given.options = {{"--project-root", "project_root", {"sub/"}}};
  read = readConfiguration(given, machine.surroundings);
  CHECK(read->configuration.projectRoot == machine.folder + "/sub");
  given.options = {{"--project-root", "project_root", {""}}};
  CHECK(readConfiguration(given, machine.surroundings)->configuration.projectRoot->empty());
  CHECK(readConfiguration({}, machine.surroundings)->configuration.projectRoot == machine.folder);
}
