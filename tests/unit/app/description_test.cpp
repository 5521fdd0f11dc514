// SPDX-License-Identifier: Apache-2.0
// Tests that a printed configuration reads back unchanged.
#include "catch2.hpp"
#include "configuration/describe.hpp"
#include "configuration/keys.hpp"
#include "made_up.hpp"
#include "settings/declared_keys.hpp"
#include "settings/written.hpp"
#include "settings/yaml_text.hpp"

#include <sstream>

using namespace made_up;

TEST_CASE("the example reads as it is, names every key, and is the defaults") {
  const Machine machine;
  const std::string example = exampleConfiguration();
  const auto read = machine.read(example);
  REQUIRE(read);
  auto defaults = readConfiguration({}, machine.surroundings);
  REQUIRE(defaults);
  // The default of these keys is a file beside the configuration file, so it differs without one.
  for (const settings::Declaration &one : declarations().keys)
    if (!one.beside.empty())
      defaults->configuration.features.set(one.key, read->configuration.features.value(one.key));
  CHECK(printedConfiguration(read->configuration, "") ==
        printedConfiguration(defaults->configuration, ""));
  const auto json = machine.read(exampleConfigurationAsJson());
  REQUIRE(json);
  CHECK(printedConfiguration(json->configuration, "") ==
        printedConfiguration(defaults->configuration, ""));
  std::istringstream lines(example);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
  const Result<Written> document = readDocument(example);
  REQUIRE(document);
  for (const HostKey &key : hostKeys()) {
    const std::string name(key.name);
    INFO(name);
    const std::size_t dot = name.find('.');
    const Written *place = document->find(name.substr(0, dot));
    REQUIRE(place != nullptr);
    if (dot != std::string::npos) CHECK(place->find(name.substr(dot + 1)) != nullptr);
    CHECK(contains(example, variableName(name)));
  }
}

TEST_CASE("what is in effect reads back as the same") {
  const Machine machine;
  const auto read = machine.read(
      "skills_dirs: [/a b, \"/c: d\"]\nexpose: both\ninstructions: \"two\\nlines # \\\"q\\\"\"\n"
      "max_skill_content_chars: 9\nproject_root: \"\"\nexclude_skills: [\"*/x\", \"007\"]\n"
      "sources:\n  - {name: \"007\", plugin: p, config: {deep: {list: [{a: 1}, {}, [2, \"3\"]], "
      "empty: \"\", yes: \"null\"}, \"odd key: \": ~}}\n");
  REQUIRE(read);
  const std::string printed = printedConfiguration(read->configuration, read->file);
  const auto again = machine.read(printed);
  INFO(printed);
  REQUIRE(again);
  CHECK(printedConfiguration(again->configuration, again->file) == printed);
  CHECK(again->configuration.sources.at(2).config == read->configuration.sources.at(2).config);
  CHECK(again->configuration.instructions == read->configuration.instructions);
}

TEST_CASE("texts are quoted where YAML would read something else") {
  for (const char *text : {"", "true", "null", "~", "1", "1.5", "-x", "a: b", "a #b", "[a", "*a",
                           "&a", "@a", "0x1F", ".inf", "a,b", "\t", "---"}) {
    const Json value = text;
    const Result<Written> read = readDocument("[" + yamlInline(value) + "]");
    INFO(text);
    REQUIRE(read);
    REQUIRE(read->items.size() == 1);
    CHECK(read->items[0].kind == Written::Kind::Text);
    CHECK(read->items[0].text == text);
  }
  CHECK(yamlInline(Json("/usr/lib")) == "/usr/lib");
}

TEST_CASE("the JSON Schema knows every key, its default and its limits") {
  const Result<Json> schema = parseJson(configurationSchema());
  REQUIRE(schema);
  CHECK((*schema)["additionalProperties"] == false);
  for (const HostKey &key : hostKeys()) {
    const std::string name(key.name);
    const std::size_t dot = name.find('.');
    INFO(name);
    Json place = (*schema)["properties"][name.substr(0, dot)];
    if (dot != std::string::npos) {
      CHECK(place["additionalProperties"] == false);
      place = place["properties"][name.substr(dot + 1)];
    }
    CHECK(place["description"] == key.help);
    CHECK(place["default"] == key.toJson(Configuration{}));
    if (key.shape == Shape::WholeNumber) CHECK(place["maximum"] == key.rule.maximum);
    if (key.shape == Shape::Choice) CHECK(place["enum"].size() == key.choices.size() + 1);
  }
  const Json &source = (*schema)["properties"]["sources"]["items"];
  CHECK(source["required"] == Json::array({"name"}));
  CHECK(source["properties"].size() == sourceKeys().size());
}

TEST_CASE("the table has a row for every key, and doc/configuration.md carries it") {
  const std::string table = configurationTable();
  for (const HostKey &key : hostKeys())
    CHECK(contains(table, "| `" + std::string(key.name) + "` | "));
  for (const SourceKey &key : sourceKeys())
    CHECK(contains(table, "| `sources[]." + std::string(key.name) + "` | "));
  std::ifstream file(PROJECT_ROOT "/doc/configuration.md");
  std::ostringstream page;
  page << file.rdbuf();
  // The page has those of all features; this build may lack one.
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(contains(page.str(), '\n' + line + '\n'));
  }
}

TEST_CASE("every key has a name of its own everywhere") {
  std::vector<std::string> seen;
  for (const HostKey &key : hostKeys()) {
    seen.push_back(variableName(key.name));
    if (!key.option.empty()) seen.emplace_back(key.option);
    CHECK(key.help.ends_with('.'));
    const std::size_t dot = key.name.find('.');
    if (dot == std::string_view::npos) continue;
    bool known = false;
    for (const Heading &section : sections()) known |= section.name == key.name.substr(0, dot);
    CHECK(known);
  }
  const std::size_t count = seen.size();
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  CHECK(seen.size() == count);
}
