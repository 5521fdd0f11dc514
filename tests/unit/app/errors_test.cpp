// SPDX-License-Identifier: Apache-2.0
// Tests that each problem names file, line and column, the fault and the text to write.
#include "catch2.hpp"
#include "configuration/named_sources.hpp"
#include "made_up.hpp"

using namespace made_up;

TEST_CASE("broken JSON is told in the words of JSON, where YAML takes it neither") {
  const Machine machine;
  const auto problem = [&](const std::string &content) {
    CommandLineSettings given;
    given.file = machine.write("c.json", content);
    const auto read = readConfiguration(given, machine.surroundings);
    if (!read) return read.failure().message;
    return read->warnings.empty() ? std::string() : read->warnings[0];
  };
  CHECK(contains(problem("{\n  \"expose\": \"skills\"\n  \"page_size\": 5\n}\n"),
                 "c.json:3:13: not JSON: "));
  CHECK(contains(problem("{\"sources\": [{\"name\": \"a\"}\n"), "c.json:2:1: not JSON: "));
  CHECK(contains(problem("{\"expose\": \"skills\", }\n"), "; it is read as YAML"));
  // YAML reads these as unknown keys; the fault of the JSON is reported first.
  const std::string doubled = problem("{\"default_top_k\": 3,, \"expose\": \"both\"}\n");
  CHECK(contains(doubled, "c.json:1:21: not JSON: "));
  // The parser may just have read a secret.
  const std::string secret = problem("{\"metrics\": {\"token\": \"of-nobody-else\" // mine\n}}");
  CHECK(contains(secret, "not JSON: "));
  CHECK_FALSE(contains(secret, "of-nobody-else"));
  CHECK(doubled.find("not JSON") < doubled.find("unknown key"));
  const std::string missing = problem("{\"a\":1 \"b\":2}\n");
  CHECK(contains(missing, "c.json:1:10: not JSON: "));
  CHECK(missing.find("not JSON") < missing.find("unknown key"));
  CHECK(problem("{\"expose\": \"skills\"}\n").empty());
  CHECK(contains(problem("{\"expose\": \"skills\",\n \"expose\": \"both\"}\n"),
                 "c.json:2:2: duplicate key \"expose\""));
  CHECK(problem("").empty());
}

TEST_CASE("a wrong value is refused at its place") {
  const Machine machine;
  CHECK(machine.problem("expose: all\n") ==
        "skillhost.yaml:1:9: expose: expected gateway, skills or both, found \"all\"");
  CHECK(machine.problem("expose: gatway\n") ==
        "skillhost.yaml:1:9: expose: expected gateway, skills or both, found \"gatway\" - did you "
        "mean \"gateway\"?");
  CHECK(machine.problem("strict: yes\n") ==
        "skillhost.yaml:1:9: strict: expected true or false, found \"yes\"");
  CHECK(machine.problem("limits:\n  max_depth: deep\n") ==
        "skillhost.yaml:2:14: limits.max_depth: expected a whole number from 1 to 64, found "
        "\"deep\"");
  CHECK(machine.problem("default_top_k: 2.5\n") ==
        "skillhost.yaml:1:16: default_top_k: expected a whole number from 1 to 20, found the "
        "number 2.5");
  CHECK(machine.problem("instructions: 5\n") ==
        "skillhost.yaml:1:15: instructions: expected a text, found the number 5: put it in quotes");
  CHECK(machine.problem("state: {secret: 1234567890123456}\n") ==
        "skillhost.yaml:1:17: state.secret: expected a text, found a number: put it in quotes");
  CHECK(machine.problem("limits: 5\n") ==
        "skillhost.yaml:1:9: limits: expected a map of keys, found the number 5");
  CHECK(machine.problem("skills_dirs: {a: b}\n") ==
        "skillhost.yaml:1:14: skills_dirs: expected a list of texts, found a map of keys");
  CHECK(machine.problem("search:\n  config: [1]\n") ==
        "skillhost.yaml:2:11: search.config: expected a map of keys, found a list");
  CHECK(machine.problem("limits:\n  tool_array_limits:\n    load_skill: 0\n") ==
        "skillhost.yaml:3:17: limits.tool_array_limits.load_skill: expected a whole number from 1 "
        "to 1000000, found the number 0");
}

TEST_CASE("a glob that is none is refused: what it was to leave out would be served") {
  const Machine machine;
  CHECK(machine.problem("exclude_skills: ['[a']\n") ==
        "skillhost.yaml:1:18: exclude_skills: \"[a\" is no glob: the pattern \"[a\" has a [ that "
        "is never "
        "closed");
  CHECK(contains(machine.problem("access:\n  visibility:\n    - sources: ['[a']\n"),
                 "skillhost.yaml:3:17: access.visibility[0].sources: \"[a\" is no glob"));
}

TEST_CASE("numbers are held to their range at both ends") {
  const Machine machine;
  for (const char *good :
       {"search: {min_score: 0}", "search: {min_score: 1}", "search: {min_score: 0.25}",
        "search: {min_score: null}", "default_top_k: 1", "default_top_k: 20", "startup_wait_ms: 0",
        "limits: {max_request_bytes: 1073741824}"}) {
    INFO(good);
    CHECK(machine.problem(good).empty());
  }
  for (const char *bad :
       {"default_top_k: 0", "default_top_k: 21", "default_top_k: -1",
        "limits: {max_request_bytes: 1073741825}", "limits: {max_depth: 99999999999999999999}"}) {
    INFO(bad);
    CHECK(contains(machine.problem(bad), "expected a whole number from"));
  }
  for (const char *bad :
       {"search: {min_score: 1.01}", "search: {min_score: -0.1}", "search: {min_score: .nan}",
        "search: {min_score: .inf}", "search: {min_score: \"0.5\"}", "search: {min_score: true}"}) {
    INFO(bad);
    CHECK(contains(machine.problem(bad), "min_score: expected a number from 0 to 1, found"));
  }
}

TEST_CASE("an unknown key gets a suggestion, or the list of what is known there") {
  const Machine machine;
  CHECK(machine.problem("expsoe: both\n") ==
        "skillhost.yaml:1:1: unknown key \"expsoe\" - did you mean \"expose\"?");
  CHECK(machine.problem("limits:\n  max_dept: 3\n") ==
        "skillhost.yaml:2:3: limits: unknown key \"max_dept\" - did you mean \"max_depth\"?");
  CHECK(machine.problem("log:\n  colour: red\n") ==
        "skillhost.yaml:2:3: log: unknown key \"colour\"; known here: level, format");
  CHECK(machine.problem("sources:\n  - name: a\n    pluggin: b\n") ==
        "skillhost.yaml:3:5: sources[0]: unknown key \"pluggin\" - did you mean \"plugin\"?");
  // A dotted key is not a section.
  CHECK(contains(machine.problem("limits.max_depth: 3\n"), "unknown key \"limits.max_depth\""));
}

TEST_CASE("all problems are told at once") {
  const Machine machine;
  const std::string problems = machine.problem("expose: x\nstrict: 1\nnothing: 2\n");
  CHECK(contains(problems, "skillhost.yaml:1:9: expose"));
  CHECK(contains(problems, "\nskillhost.yaml:2:9: strict"));
  CHECK(contains(problems, "\nskillhost.yaml:3:1: unknown key"));
}

TEST_CASE("what is not a configuration at all is refused") {
  Machine machine;
  CHECK(machine.problem("- a\n- b\n") ==
        "skillhost.yaml:1:1: expected keys with values such as \"expose: gateway\", found a list");
  CHECK(contains(machine.problem("expose: [both\n"), "skillhost.yaml:"));
  CHECK(contains(machine.problem("expose: both\nexpose: skills\n"),
                 "skillhost.yaml:2:1: duplicate key"));
  CommandLineSettings given;
  given.file = "missing.yaml";
  CHECK(readConfiguration(given, machine.surroundings).failure().message ==
        "cannot read the configuration " + machine.folder +
            "/missing.yaml: No such file or directory");
  given.file = ".";
  CHECK(
      contains(readConfiguration(given, machine.surroundings).failure().message, "it is a folder"));
  machine.surroundings.variables["SKILLHOST_CONFIG"] = "also-missing.yaml";
  CHECK(contains(readConfiguration({}, machine.surroundings).failure().message,
                 "also-missing.yaml: No such file"));
}

TEST_CASE("problems of the environment and the command line name the variable or the option") {
  Machine machine;
  machine.surroundings.variables["SKILLHOST_LIMITS_MAX_DEPTH"] = "many";
  CommandLineSettings given;
  given.options = {{"--expose", "expose", {"none"}}, {"--set nix", "nix", {"1"}, true}};
  const std::string problems = readConfiguration(given, machine.surroundings).failure().message;
  CHECK(contains(problems, "SKILLHOST_LIMITS_MAX_DEPTH: expected a whole number from 1 to 64"));
  CHECK(contains(problems, "--expose: expected gateway, skills or both, found \"none\""));
  CHECK(contains(problems, "--set nix: unknown key \"nix\""));
}

TEST_CASE("a rule that names a source which does not exist is refused where it stands") {
  const Machine machine;
  const std::string sources = "sources: [{name: hr}, {name: team, enabled: false}]\n"
                              "tools: [{name: notes, plugin: x}]\n";
  const auto problem = [&](const std::string &rules) { return machine.problem(sources + rules); };
  CHECK(problem("access: {visibility: [{sources: [team, hrr], scopes: [hr]}]}\n") ==
        "skillhost.yaml:3:40: access.visibility[0].sources[1]: there is no source or plugin "
        "\"hrr\" - did you mean \"hr\"?");
  CHECK(problem("access: {visibility: [{sources: nots}]}\n") ==
        "skillhost.yaml:3:33: access.visibility[0].sources[0]: there is no source or plugin "
        "\"nots\" - did you mean \"notes\"?");
  CHECK(problem("access: {visibility: [{sources: [HR]}]}\n") ==
        "skillhost.yaml:3:34: access.visibility[0].sources[0]: there is no source or plugin "
        "\"HR\" - did you mean \"hr\"?");
  CHECK(problem("exclude_skills: ['hrr/*']\n") ==
        "skillhost.yaml:3:18: exclude_skills[0]: there is no source \"hrr\" - did you mean "
        "\"hr\"?");
  CHECK(problem("include_skills: [pdf]\n") ==
        "skillhost.yaml:3:18: include_skills[0]: there is no source \"pdf\" (a pattern is "
        "<source>/<path>, such as \"*/pdf\"); there are hr, team");
  CHECK(machine.problem("sources: [{name: hr}]\nexclude_skills: ['xyz/*']\n") ==
        "skillhost.yaml:2:18: exclude_skills[0]: there is no source \"xyz\"; there is hr");
  CHECK(machine.problem("exclude_skills: ['a/*']\n") ==
        "skillhost.yaml:1:18: exclude_skills[0]: there is no source \"a\"; there is none");
}

TEST_CASE("a rule whose pattern matches no source yet is a warning") {
  const Machine machine;
  for (const char *rules :
       {"access: {visibility: [{sources: ['hr-*']}]}\n", "include_skills: ['hr-*/a']\n",
        "usual_folders: true\nexclude_skills: [claude/x]\n"}) {
    INFO(rules);
    const auto read = machine.read(std::string("sources: [{name: hr}]\n") + rules);
    REQUIRE(read);
    REQUIRE(read->warnings.size() == 1);
    CHECK(contains(read->warnings[0], "yet: the rule has no effect until one does"));
    CHECK(contains(read->warnings[0], "skillhost.yaml:"));
  }
  for (const char *rules : {"access: {visibility: [{sources: ['h?'], categories: [any]}]}\n",
                            "include_skills: ['**/pdf', '{hr/a,hr/b}', 'hr/x', 'hr']\n"}) {
    INFO(rules);
    const auto read = machine.read(std::string("sources: [{name: hr}]\n") + rules);
    REQUIRE(read);
    CHECK(read->warnings.empty());
  }
}

TEST_CASE("a setting for a tool that does not exist is refused where it stands") {
  const Machine machine;
  CHECK(contains(machine.problem("deadlines:\n  tools: {lod_skill: 5}\n"),
                 "deadlines.tools.lod_skill: there is no tool \"lod_skill\" - did you mean "
                 "\"load_skill\"?"));
  CHECK(
      contains(machine.problem("limits:\n  tool_array_limits: {pdf: 5}\n"),
               "limits.tool_array_limits.pdf: there is no tool \"pdf\"; there are list_skills, "));
  CHECK(contains(machine.problem("deadlines: {tools: {count_skills: 5}}\n"),
                 "there is no tool \"count_skills\""));
  Machine more;
  more.surroundings.featureTools = {"count_skills"};
  CHECK(more.problem("deadlines: {tools: {load_skill: 5, count_skills: 5}}\n").empty());
  // The names of tools of skills and plugins are not known yet.
  for (const char *more : {"expose: both\n", "tools: [{name: notes, plugin: x}]\n"}) {
    INFO(more);
    const auto read =
        machine.read(std::string(more) + "deadlines: {tools: {lod_skill: 5, pdf: 5}}\n");
    REQUIRE(read);
    REQUIRE(read->warnings.size() == 1);
    CHECK(contains(read->warnings[0],
                   "deadlines.tools.lod_skill: there is no tool \"lod_skill\" of "
                   "the server's own - did you mean \"load_skill\"?"));
  }
}

TEST_CASE("a pattern of skills that no skill matches is a warning, of a name with the nearest") {
  const Machine machine;
  const auto warnings = [&](const std::string &rules) {
    const auto read = machine.read("sources: [{name: hr}, {name: team}]\n" + rules);
    REQUIRE(read);
    return checkNamedSkills(read->configuration, {"hr/payroll", "team/a/pdf"}).warnings;
  };
  const auto found =
      warnings("exclude_skills: [hr/payrol, 'team/*']\ninclude_skills: ['**/pdf']\n");
  REQUIRE(found.size() == 2);
  CHECK(contains(found[0], "skillhost.yaml:2:18: exclude_skills[0]: no skill matches hr/payrol "
                           "yet: the rule has no effect until one does - did you mean "
                           "\"hr/payroll\"?"));
  CHECK(contains(
      found[1],
      "exclude_skills[1]: no skill matches team/* yet: the rule has no effect until one does"));
  CHECK(warnings("exclude_skills: ['team/**', '{hr/payroll,x}']\n").empty());
  CHECK(warnings("include_skills: ['new-*/x']\n").empty()); // a warning was logged when it was read
}

TEST_CASE("a key that belongs into a section is told where") {
  const Machine machine;
  CHECK(machine.problem("log_level: DEBUG\n") ==
        "skillhost.yaml:1:1: unknown key \"log_level\" - did you mean level in the section log?");
  CHECK(contains(machine.problem("limits.max_depth: 3\n"), "max_depth in the section limits?"));
  CHECK(contains(machine.problem("maxSessions: 3\n"), "max_sessions in the section http?"));
  CHECK(contains(machine.problem("public_url: x\n"), "public_url in the section http?"));
  CHECK(contains(machine.problem("memory_mb: 7\n"), "known here: ")); // of several sections
  CHECK(contains(machine.problem("limits: {log_level: 3}\n"), "known here: "));
  CommandLineSettings given;
  given.options = {{"--set log_level", "log_level", {"DEBUG"}, true}};
  CHECK(contains(readConfiguration(given, machine.surroundings).failure().message,
                 "--set log_level: unknown key \"log_level\" - did you mean \"log.level\"?"));
}

TEST_CASE("a tab that indents is told of as a tab") {
  const Machine machine;
  for (const char *text : {"log:\n\tlevel: DEBUG\n", "sources:\n\t- name: a\n"})
    CHECK(machine.problem(text) ==
          "skillhost.yaml:2:1: a tab: YAML is indented with spaces alone, so write spaces in its "
          "place");
  CHECK(contains(machine.problem("log:\n  level: INFO\n  \tformat: text\n"), ":3:3: a tab"));
  CHECK(machine.problem("{\n\t\"strict\":\ttrue\n}\n").empty()); // JSON
  CHECK(machine.problem("instructions: |\n  a\n  \tb\nstrict:\ttrue\n").empty());
}

TEST_CASE("addresses of HTTP are what they should be") {
  const Machine machine;
  CHECK(machine.problem("http: {public_url: skills.example.org}\n") ==
        "skillhost.yaml:1:20: http.public_url: \"skills.example.org\" is no URL of a server: write "
        "for instance https://skills.example.org/mcp");
  for (const char *url : {"https://", "ftp://skills.example.org/", "https:/skills.example.org",
                          "https://u@skills.example.org/", "https://skills.example.org/mcp?a",
                          "https://skills.example.org/#a", "https://skills.example.org:x/"}) {
    INFO(url);
    CHECK(contains(machine.problem("http: {public_url: '" + std::string(url) + "'}\n"),
                   "is no URL of a server"));
  }
  for (const char *url : {"https://skills.example.org/mcp", "http://[::1]:8080/mcp",
                          "https://skills.example.org", "http://localhost:8080/"}) {
    INFO(url);
    CHECK(machine.problem("http: {public_url: '" + std::string(url) + "'}\n").empty());
  }
  for (const char *host : {"https://skills.example.org", "skills.example.org:8443", "::1", "*"}) {
    INFO(host);
    CHECK(contains(machine.problem("http: {allowed_hosts: ['" + std::string(host) + "']}\n"),
                   "is no name of a host"));
  }
  CHECK(machine.problem("http: {allowed_hosts: [localhost, '[::1]', 10.0.0.7]}\n").empty());
  for (const char *origin : {"app.example.org", "https://app.example.org/", "https://*"}) {
    INFO(origin);
    CHECK(contains(machine.problem("http: {allowed_origins: ['" + std::string(origin) + "']}\n"),
                   "is no origin"));
  }
  CHECK(machine
            .problem("http: {allowed_origins: ['*', 'https://a.example:8443', "
                     "'vscode-webview://abc']}\n")
            .empty());
}

TEST_CASE("a key that earlier versions had is refused with its place and what replaces it") {
  const Machine machine;
  const std::string problem =
      machine.problem("sources:\n  - name: team\n    plugin: github\n    shared: /srv/shared\n");
  CHECK(contains(problem, "skillhost.yaml:4:5: sources[0]: shared: there is no shared folder"));
  CHECK(contains(problem, "each of them asks the source itself"));
  CHECK_FALSE(contains(problem, "unknown key"));
}
