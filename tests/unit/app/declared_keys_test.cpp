// SPDX-License-Identifier: Apache-2.0
// Tests that a key of a feature is read, refused and shown as a key of the host.
#include "catch2.hpp"
#include "command_line/given.hpp"
#include "configuration/describe.hpp"
#include "configuration/keys.hpp"
#include "made_up.hpp"
#include "settings/declared_keys.hpp"
#include "settings/shipped.hpp"

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
       "minLength": 16, "maxLength": 1000, "reload": "applied", "description": "A hook."}]},
    {"feature": "watch",
     "sections": [{"name": "watch", "description": "Another section of a feature."}],
     "keys": [
      {"key": "watch.rules", "after": "access.visibility", "type": "array",
       "requires": {"watch.file": "has no file: write watch.file"}, "description": "Rules.",
       "items": {"type": "object", "required": ["action"], "properties": {
           "sources": {"type": "array", "names": "sources", "description": "Globs.",
             "items": {"type": "string", "format": "glob", "maxLength": 100}},
           "action": {"type": "string", "enum": ["pass", "hold"], "description": "What to do."},
           "when": {"type": "array", "items": {"type": "string", "enum": ["new", "old"]},
             "description": "When."},
           "level": {"type": "string", "enum": ["low", "high"], "default": "high",
             "description": "How much."}},
         "examples": [{"action": "hold"}, {"sources": ["team"], "action": "hold"}]}},
      {"key": "watch.file", "type": "string", "format": "path", "maxLength": 4096,
       "beside": "watch.json", "description": "A file."},
      {"key": "watch_lock", "after": "expose", "type": "string", "format": "path",
       "maxLength": 4096, "beside": "watch.lock", "or_here": true, "description": "Another."}]},
    {"feature": "replicas", "keys": [
      {"key": "state.plugin", "type": "host", "description": "What replicas share by."},
      {"key": "state.threads", "type": "host"}]}])";
}

// Lists the feature of this test, and one that this build lacks.
std::string_view skillhost::settings::shipped() noexcept {
  return R"({"plugins/http/demo": {"keys": ["demo.mode", "demo.days"], "options": ["--demo-mode"]},
    "plugins/filters/gone": {"keys": ["gone", "cut.deep", "access.gone", "sources[].gone"],
      "options": ["--gone"]},
    "plugins/replicas/lost": {"keys": ["state.config", "state.network"], "options": []}})";
}

namespace {

const std::string token = "0123456789abcdef";

// The message for a key of a feature that this build lacks.
const std::string absent = ": it belongs to the feature gone, which this build of skillhost does "
                           "not have: install a build that has plugins/filters/gone, or take this "
                           "out";

// Returns the keys of the table that begin with one of these texts, in the table's order.
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
  const Result<CommandLineSettings> given = givenSettings(*parsed);
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
                                    "pub{lic,} yet: the rule has no effect until one does"));
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
  CHECK(order({"log.", "demo.", "telemetry.propagate"}) ==
        std::vector<std::string>{"log.level", "log.format", "demo.mode", "demo.days", "demo.file",
                                 "demo.token", "telemetry.propagate"});
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
  CHECK(placeFor("s.c", "a", names) == 1); // behind `a`, and in its section
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

TEST_CASE("rules of a feature are read with their defaults, and written as they were read") {
  const Machine machine;
  const auto read =
      machine.read("watch:\n  rules:\n    - {action: HOLD, when: new}\n"
                   "    - {action: pass, sources: ['*'], when: [old, new], level: ~}\n");
  REQUIRE(read);
  const Result<Json> wanted = parseJson(
      R"([{"sources": [], "action": "hold", "when": ["new"], "level": "high"},
          {"sources": ["*"], "action": "pass", "when": ["old", "new"], "level": "high"}])");
  REQUIRE(wanted);
  CHECK(read->configuration.features.value("watch.rules") == *wanted);
  CHECK(read->configuration.places.at("watch.rules[1].action") == read->file + ":4:16");
  CHECK(FeatureSettings().value("watch.rules") == Json::array());
  const std::string printed = printedConfiguration(read->configuration, read->file);
  const auto again = machine.read(printed);
  REQUIRE(again);
  CHECK(printedConfiguration(again->configuration, again->file) == printed);
}

TEST_CASE("what is wrong with a rule of a feature is told where it stands") {
  const Machine machine;
  const auto problem = [&](const std::string &rules) {
    return machine.problem("watch: {rules: " + rules + "}\nsources: [{name: team}]\n");
  };
  CHECK(problem("3") ==
        "skillhost.yaml:1:16: watch.rules: expected a list of rules, found the number 3");
  CHECK(problem("[3]") == "skillhost.yaml:1:17: watch.rules[0]: expected a map such as {action: "
                          "hold}, found the number 3");
  CHECK(problem("[{when: new}]") ==
        "skillhost.yaml:1:17: watch.rules[0]: action is missing: pass or hold");
  CHECK(problem("[{action: ~}]") ==
        "skillhost.yaml:1:17: watch.rules[0]: action is missing: pass or hold");
  CHECK(problem("[{action: pass}, {acton: pass, action: pass}]") ==
        "skillhost.yaml:1:34: watch.rules[1]: unknown key \"acton\" - did you mean \"action\"?");
  CHECK(problem("[{action: pass, when: [nev]}]") ==
        "skillhost.yaml:1:39: watch.rules[0].when: expected new or old, found \"nev\" - did you "
        "mean \"new\"?");
  CHECK(problem("[{action: pass, level: 3}]") ==
        "skillhost.yaml:1:39: watch.rules[0].level: expected low or high, found the number 3");
  CHECK(problem("[{action: pass, sources: [tem]}]") ==
        "skillhost.yaml:1:42: watch.rules[0].sources[0]: there is no source \"tem\" - did you mean "
        "\"team\"?");
  const auto read = machine.read("watch: {rules: [{action: pass, sources: ['x?']}]}\n");
  REQUIRE(read);
  REQUIRE(read->warnings.size() == 1);
  CHECK(contains(read->warnings[0], "watch.rules[0].sources[0]: no source matches x? yet"));
}

TEST_CASE("example, schema and table have the rules of a feature") {
  CHECK(contains(exampleConfiguration(),
                 "  # Rules.\n  # (list of rules; SKILLHOST_WATCH_RULES)\n"
                 "  # A rule has these keys:\n  #   sources: Globs.\n  #   action: What to do.\n"
                 "  #   when: When.\n  #   level: How much.\n  # For instance:\n"
                 "  #   - sources: [team]\n  #     action: hold\n  rules: []\n"));
  CHECK(contains(configurationTable(), "| `watch.rules[].action` | pass, hold |  |  | What to do. "
                                       "|\n| `watch.rules[].when` | list of new, old | `[]` |"));
  const Result<Json> schema = parseJson(configurationSchema());
  REQUIRE(schema);
  const Json &rule = (*schema)["properties"]["watch"]["properties"]["rules"]["items"];
  CHECK(rule["required"] == Json::array({"action"}));
  CHECK(rule["properties"]["action"]["enum"] == Json::array({"pass", "hold"}));
  CHECK(rule["properties"]["level"]["default"] == "high");
  CHECK(rule["additionalProperties"] == false);
}

TEST_CASE("a file of a feature is beside the configuration file, where it is not set") {
  Machine machine;
  machine.surroundings.workingDirectory = machine.folder + "/here";
  const auto read = machine.read("watch: {rules: [{action: pass}]}\n");
  REQUIRE(read);
  CHECK(read->configuration.features.text("watch.file") == machine.folder + "/watch.json");
  CHECK(read->configuration.features.text("watch_lock") == machine.folder + "/watch.lock");
  const auto set = machine.read("watch: {file: ./other}\n");
  REQUIRE(set);
  CHECK(set->configuration.features.text("watch.file") == machine.folder + "/other");
  // Rules must not come from a folder that somebody else may have filled.
  const auto none = readConfiguration({}, machine.surroundings);
  REQUIRE(none);
  CHECK_FALSE(none->configuration.features.textIfAny("watch.file"));
  CHECK(none->configuration.features.text("watch_lock") == machine.folder + "/here/watch.lock");
  machine.surroundings.variables["SKILLHOST_WATCH_RULES"] = "[{action: pass}]";
  const auto lacking = readConfiguration({}, machine.surroundings);
  REQUIRE_FALSE(lacking);
  CHECK(lacking.failure().message ==
        "SKILLHOST_WATCH_RULES: watch.rules: has no file: write watch.file");
}

TEST_CASE("a key of a feature that is not built is refused in the file, whatever its value") {
  const Machine machine;
  for (const char *value : {"true", "false", "~", "3", "[]"}) {
    INFO(value);
    CHECK(machine.problem(std::string("expose: both\ngone: ") + value + "\n") ==
          "skillhost.yaml:2:1: unknown key \"gone\"" + absent);
  }
  CHECK(machine.problem("cut: {deep: 1}\n") == "skillhost.yaml:1:1: unknown key \"cut\"" + absent);
  CHECK(machine.problem("access: {gone: x}\n") ==
        "skillhost.yaml:1:10: access: unknown key \"gone\"" + absent);
  CHECK(machine.problem("sources: [{name: a}, {name: b, gone: x}]\n") ==
        "skillhost.yaml:1:32: sources[1]: unknown key \"gone\"" + absent);
  CHECK(contains(machine.problem("gon: true\n"), "unknown key \"gon\"; known here: "));
}

TEST_CASE("it is refused in an older configuration, which passes over what it does not know") {
  const Machine machine;
  const std::string older = "{\"skill_sources\": [], \"nonsense\": 1";
  CHECK(machine.problem(older + "}").empty());
  CHECK(machine.problem(older + ", \"gone\": true}") ==
        "skillhost.yaml:1:38: unknown key \"gone\"" + absent);
  CHECK(machine.problem(older + ", \"cut\": {\"deep\": 1}}") ==
        "skillhost.yaml:1:38: unknown key \"cut\"" + absent);
}

TEST_CASE("it is refused in the environment and on the command line") {
  Machine machine;
  const auto refusal = [&](std::vector<std::string> arguments) {
    arguments.emplace_back("--no-config");
    const auto parsed = Machine::parse(arguments);
    if (!parsed) return parsed.failure().message;
    const Result<CommandLineSettings> given = givenSettings(*parsed);
    REQUIRE(given);
    const auto read = readConfiguration(*given, machine.surroundings);
    return read ? std::string() : read.failure().message;
  };
  CHECK(refusal({}).empty());
  CHECK(refusal({"--set", "gone=false"}) == "--set gone: unknown key \"gone\"" + absent);
  CHECK(refusal({"--set", "sources[].gone=x"}) ==
        "--set sources[].gone: unknown key \"sources[].gone\"" + absent);
  CHECK(refusal({"--gone"}).starts_with("unknown option --gone" + absent + "\n"));
  CHECK(refusal({"--gone=x"}).starts_with("unknown option --gone" + absent + "\n"));
  CHECK(refusal({"--gon"}).starts_with("unknown option --gon"));
  machine.surroundings.variables["SKILLHOST_GONE"] = "0";
  CHECK(refusal({}) == "SKILLHOST_GONE: unknown key \"gone\"" + absent);
  machine.surroundings.variables["SKILLHOST_GONE"] = ""; // an empty variable counts as unset
  CHECK(refusal({}).empty());
  machine.surroundings.variables["SKILLHOST_CUT_DEEP"] = "1";
  CHECK(refusal({}) == "SKILLHOST_CUT_DEEP: unknown key \"cut.deep\"" + absent);
}

TEST_CASE("a key that the host reads for a feature is there only with the feature") {
  const HostKey *plugin = findKey("state.plugin"), *threads = findKey("state.threads");
  REQUIRE(plugin);
  REQUIRE(threads);
  CHECK(plugin->help == "What replicas share by.");
  CHECK(threads->help.starts_with("How many calls of the plugin run at once"));
  CHECK(findKey("state.config") == nullptr);
  CHECK(findKey("state.secret") != nullptr); // the host's own
  const Machine machine;
  const auto read = machine.read("state: {plugin: memory, threads: 3}\n");
  REQUIRE(read);
  CHECK(read->configuration.state.run.threads == 3);
  CHECK(machine.problem("state: {network: none}\n") ==
        "skillhost.yaml:1:9: state: unknown key \"network\": it belongs to the feature lost, which "
        "this build of skillhost does not have: install a build that has plugins/replicas/lost, or "
        "take this out");
}
