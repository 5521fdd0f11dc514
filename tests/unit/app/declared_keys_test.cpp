// SPDX-License-Identifier: Apache-2.0
// Tests that a key of a feature is read, refused and shown as a key of the host.
#include "catch2.hpp"
#include "command_line/given.hpp"
#include "configuration/declared_keys.hpp"
#include "configuration/describe.hpp"
#include "made_up.hpp"

#include <array>
#include <stdexcept>

using namespace made_up;

// Replaces the declarations of the built features with those of this test.
std::string_view skillhost::settings::gathered() noexcept {
  return R"([{"feature": "demo",
    "sections": [{"name": "demo", "description": "A section of a feature."}],
    "keys": [
      {"key": "demo.mode", "after": "log.format", "type": "string", "enum": ["auto", "on", "off"],
       "default": "auto", "option": "--demo-mode", "description": "A choice."},
      {"key": "demo.days", "type": "integer", "minimum": 1, "maximum": 100, "default": 90,
       "description": "A number."},
      {"key": "demo.file", "type": "string", "format": "path", "minLength": 1, "maxLength": 4096,
       "description": "A path."},
      {"key": "demo.token", "type": "string", "format": "secret", "minLength": 16,
       "maxLength": 1000, "description": "A secret.",
       "requires": {"demo.file": "means nothing without demo.file"}}]},
    {"feature": "other", "keys": [
      {"key": "http.other", "after": "http.allow_anonymous", "type": "boolean", "default": false,
       "description": "A flag."},
      {"key": "http.from", "after": "http.no_such_key", "type": "array", "names": "sources",
       "items": {"type": "string", "format": "glob", "minLength": 1, "maxLength": 1000},
       "description": "Globs."},
      {"key": "other_top", "after": "http.port", "type": "boolean", "default": true,
       "description": "A flag without a section."},
      {"key": "sources[].hook", "after": "sources[].name", "type": "string", "format": "secret",
       "minLength": 16, "maxLength": 1000, "reload": "applied", "description": "A hook."}]}])";
}

namespace {

const std::string token = "0123456789abcdef";

// Returns those keys of the table, in its order, that begin with one of `starts`.
std::vector<std::string> order(std::initializer_list<std::string_view> starts) {
  std::vector<std::string> names;
  for (const HostKey &key : hostKeys())
    if (std::any_of(starts.begin(), starts.end(),
                    [&](std::string_view start) { return key.name.starts_with(start); }))
      names.emplace_back(key.name);
  return names;
}

} // namespace

TEST_CASE("values of a feature's keys come from the file, the environment and options") {
  Machine machine;
  machine.surroundings.variables["TOKEN"] = token;
  const auto read = machine.read("demo:\n  mode: OFF\n  days: 7\n  file: ./x\n  token: env:TOKEN\n"
                                 "http:\n  other: true\n  from: [\"*\"]\n");
  REQUIRE(read);
  const FeatureSettings &settings = read->configuration.features;
  CHECK(settings.text("demo.mode") == "off");
  CHECK(settings.number("demo.days") == 7);
  CHECK(settings.text("demo.file") == machine.folder + "/x");
  CHECK(settings.textIfAny("demo.token") == token);
  CHECK(settings.flag("http.other"));
  CHECK(settings.texts("http.from") == std::vector<std::string>{"*"});
  CHECK(read->configuration.places.at("demo.days") == read->file + ":3:9");

  machine.surroundings.variables["SKILLHOST_DEMO_DAYS"] = "8";
  machine.surroundings.variables["SKILLHOST_HTTP_FROM"] = "a*,b*";
  const std::string file = machine.write("skillhost.yaml", "demo: {days: 7, mode: off}\n");
  const auto parsed =
      Machine::parse({"--config", file, "--demo-mode", "on", "--set", "http.other=yes"});
  REQUIRE(parsed);
  const Result<Given> given = givenSettings(*parsed);
  REQUIRE(given);
  const auto layered = readConfiguration(*given, machine.surroundings);
  REQUIRE(layered);
  CHECK(layered->configuration.features.number("demo.days") == 8);
  CHECK(layered->configuration.features.texts("http.from") == std::vector<std::string>{"a*", "b*"});
  CHECK(layered->configuration.features.text("demo.mode") == "on");
  CHECK(layered->configuration.features.flag("http.other"));
}

TEST_CASE("a key that is not set has the default that its feature declares") {
  const FeatureSettings settings;
  CHECK(settings.text("demo.mode") == "auto");
  CHECK(settings.number("demo.days") == 90);
  CHECK_FALSE(settings.textIfAny("demo.token"));
  CHECK(settings.texts("http.from").empty());
  CHECK_FALSE(settings.flag("http.other"));
  CHECK_FALSE(settings.textIfAny("sources[].hook"));
  const Machine machine;
  const auto read = machine.read("demo: {days: ~}\n"); // null is the default
  REQUIRE(read);
  CHECK(read->configuration.features.number("demo.days") == 90);
}

TEST_CASE("a feature that asks for a key that it has not, or for another type, is told so") {
  const FeatureSettings settings;
  CHECK_THROWS_AS(settings.flag("demo.no_such_key"), std::logic_error);
  CHECK_THROWS_AS(settings.flag("demo.mode"), std::logic_error);
  CHECK_THROWS_AS(settings.text("demo.token"), std::logic_error); // a secret has no text
  CHECK_THROWS_AS(settings.number("http.other"), std::logic_error);
  CHECK_THROWS_AS(settings.texts("demo.mode"), std::logic_error);
}

TEST_CASE("what is wrong with a feature's key is told as of one of the host") {
  Machine machine;
  CHECK(machine.problem("demo:\n  dayz: 3\n") ==
        "skillhost.yaml:2:3: demo: unknown key \"dayz\" - did you mean \"days\"?");
  CHECK(machine.problem("demo_days: 3\n") ==
        "skillhost.yaml:1:1: unknown key \"demo_days\" - did you mean days in the section demo?");
  CHECK(machine.problem("demo:\n  days: soon\n") ==
        "skillhost.yaml:2:9: demo.days: expected a whole number from 1 to 100, found \"soon\"");
  CHECK(contains(machine.problem("demo:\n  days: 101\n"),
                 "skillhost.yaml:2:9: demo.days: expected a whole number from 1 to 100"));
  CHECK(machine.problem("demo: {mode: offf}\n") ==
        "skillhost.yaml:1:14: demo.mode: expected auto, on or off, found \"offf\" - did you mean "
        "\"off\"?");
  CHECK(machine.problem("http: {other: 1}\n") ==
        "skillhost.yaml:1:15: http.other: expected true or false, found the number 1");
  CHECK(machine.problem("http: {from: [\"[\"]}\n").starts_with("skillhost.yaml:1:15: http.from"));
  CHECK(machine.problem("http: {from: [nowhere]}\n") ==
        "skillhost.yaml:1:15: http.from[0]: there is no source \"nowhere\"; there is none");
  CHECK(machine.problem("demo: {token: short, file: x}\n") ==
        "skillhost.yaml:1:15: demo.token: the value must have at least 16 bytes");
  CHECK(machine.problem("demo: {token: " + token + "z}\n") ==
        "skillhost.yaml:1:15: demo.token: means nothing without demo.file");
  CHECK(machine.problem("sources: [{name: a, plugin: p, hok: x}]\n") ==
        "skillhost.yaml:1:32: sources[0]: unknown key \"hok\" - did you mean \"hook\"?");
  CHECK(contains(machine.problem("sources: [{name: a, plugin: p, hook: short}]\n"),
                 "sources[0].hook: the value must have at least 16 bytes"));
  CHECK(machine.problem("sources: [{name: a, plugin: p, hook: 1234567890123456}]\n") ==
        "skillhost.yaml:1:38: sources[0].hook: expected a text, found a number: put it in quotes");
  machine.surroundings.variables["SKILLHOST_DEMO_DAYS"] = "0";
  CHECK(machine.problem("") ==
        "SKILLHOST_DEMO_DAYS: expected a whole number from 1 to 100, found the number 0");
}

TEST_CASE("globs of a feature that are about sources name sources that there are") {
  const Machine machine;
  const std::string sources = "sources: [{name: hr}, {name: team, enabled: false}]\n";
  CHECK(machine.problem(sources + "http: {from: [tem]}\n") ==
        "skillhost.yaml:2:15: http.from[0]: there is no source \"tem\" - did you mean \"team\"?");
  CHECK(machine.problem(sources + "http: {from: ['h?', team]}\n").empty());
  const auto read = machine.read(sources + "transport: http\nhttp: {from: ['pub{lic,}']}\n");
  REQUIRE(read);
  REQUIRE(read->warnings.size() == 1);
  CHECK(contains(read->warnings[0], "skillhost.yaml:3:15: http.from[0]: no source matches "
                                    "pub{lic,} yet: the rule is about nothing until one does"));
}

TEST_CASE("a secret of a feature is resolved for it and masked for everybody else") {
  Machine machine;
  machine.surroundings.variables["TOKEN"] = token + token;
  const auto read = machine.read("demo: {token: env:TOKEN, file: x}\n"
                                 "sources: [{name: a, plugin: p, hook: hook-" +
                                 token + "}]\n");
  REQUIRE(read);
  CHECK(read->configuration.features.textIfAny("demo.token") == token + token);
  CHECK(read->configuration.sources.at(0).features.textIfAny("sources[].hook") == "hook-" + token);
  const std::string shown = printedConfiguration(read->configuration, read->file);
  CHECK_FALSE(contains(shown, token));
  CHECK(contains(shown, "token: \"***masked***\""));
  CHECK(contains(shown, "hook: \"***masked***\""));
  for (const char *text : {"demo: {file: x, token: '${GITHUB_TOKEN}'}\n",
                           "sources: [{name: a, plugin: p, hook: '${GITHUB_TOKEN}'}]\n"})
    CHECK(contains(machine.problem(text), "write ${env:GITHUB_TOKEN}"));
}

TEST_CASE("a feature's key stands behind the one that it names, and in its section") {
  CHECK(order({"log.", "demo.", "telemetry.otlp_endpoint"}) ==
        std::vector<std::string>{"log.level", "log.format", "demo.mode", "demo.days", "demo.file",
                                 "demo.token", "telemetry.otlp_endpoint"});
  const std::vector<std::string> http = order({"http.", "other_top", "plugins.directories"});
  const auto at = [&](const char *name) {
    return std::find(http.begin(), http.end(), name) - http.begin();
  };
  CHECK(at("http.other") == at("http.allow_anonymous") + 1);
  CHECK(at("http.from") == at("plugins.directories") - 2); // the end of its section
  CHECK(at("other_top") == at("plugins.directories") - 1); // no section is torn apart
  CHECK(sourceKeys()[1].name == "hook");
  const std::array<std::string_view, 4> names{"a", "s.a", "s.b", "t.a"};
  CHECK(placeFor("s.c", "s.a", names) == 2);
  CHECK(placeFor("s.c", "t.a", names) == 3);
  CHECK(placeFor("s.c", "", names) == 3);
  CHECK(placeFor("u.a", "s.a", names) == 3);
  CHECK(placeFor("u.a", "no_such_key", names) == 4);
  CHECK(placeFor("b", "a", names) == 1);
  CHECK(placeFor("b", "s.a", names) == 3);
}

TEST_CASE("example, schema and table have a feature's keys, and read back") {
  const Machine machine;
  const std::string example = exampleConfiguration();
  CHECK(machine.problem(example) == "");
  CHECK(contains(example, "# A section of a feature.\ndemo:\n  # A choice.\n  # (auto, on, off; "
                          "SKILLHOST_DEMO_MODE; --demo-mode)\n  mode: auto\n"));
  CHECK(contains(configurationTable(), "| `demo.days` | whole number, 1 to 100 | `90` | "
                                       "`SKILLHOST_DEMO_DAYS` | A number. |\n"));
  CHECK(contains(configurationTable(), "| `sources[].hook` | text |  |  | A hook. |\n"));
  const Result<Json> schema = parseJson(configurationSchema());
  REQUIRE(schema);
  const Json &demo = (*schema)["properties"]["demo"];
  CHECK(demo["description"] == "A section of a feature.");
  CHECK(demo["properties"]["days"]["maximum"] == 100);
  CHECK(demo["properties"]["days"]["default"] == 90);
  CHECK(demo["properties"]["mode"]["enum"] == Json::array({"auto", "on", "off", nullptr}));
}
