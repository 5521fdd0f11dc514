// SPDX-License-Identifier: Apache-2.0
// Tests the documentation and the schema that are written from a table of keys.
#include "settings/table.hpp"

#include "catch2.hpp"
#include "settings/written.hpp"

#include <array>

using namespace skillhost;
using namespace skillhost::settings;

namespace {

constexpr std::array<std::string_view, 3> words{"serve", "warn", "hold"};

Row row(std::string_view name, Shape shape, Json standard) {
  Row made;
  made.name = name;
  made.variable = "DEMO";
  made.help = "It is one | of them.";
  made.shape = shape;
  made.standard = std::move(standard);
  return made;
}

std::vector<Row> rows() {
  std::vector<Row> all{row("count", Shape::WholeNumber, 3), row("log.level", Shape::Choice, "warn"),
                       row("log.rules", Shape::Entries, Json::array())};
  all[0].option = "--count";
  all[0].minimum = 1;
  all[0].maximum = 9;
  all[1].choices = words;
  Row name = row("name", Shape::Text, nullptr), days = row("days", Shape::Text, "x");
  name.isRequired = true;
  name.meaning = Meaning::SourceName;
  name.minimum = 1;
  name.maximum = 64;
  all[2].entries = "rules";
  all[2].entry = "A rule";
  all[2].parts = {name, days};
  all[2].example = "- name: a\n  days: b\n";
  return all;
}

constexpr std::array<Heading, 1> headings{Heading{"log", "The log."}};

} // namespace

TEST_CASE("the example names every key with its default, and reads back") {
  const std::string example = exampleYaml(rows(), headings, "# All of them.\n");
  CHECK(example == "# All of them.\n\n# It is one | of them.\n"
                   "# (whole number, 1 to 9; DEMO; --count)\ncount: 3\n\n"
                   "# The log.\nlog:\n  # It is one | of them.\n  # (serve, warn, hold; DEMO)\n"
                   "  level: warn\n\n  # It is one | of them.\n  # (list of rules; DEMO)\n"
                   "  # A rule has these keys:\n  #   name: It is one | of them.\n"
                   "  #   days: It is one | of them.\n  # For instance:\n  #   - name: a\n"
                   "  #     days: b\n  rules: []\n");
  const auto read = settings::readDocument(example);
  REQUIRE(read);
  CHECK(read->find("log")->find("level")->text == "warn");
}

TEST_CASE("long help is broken into lines of at most 100 columns") {
  std::vector<Row> all = rows();
  const std::string help(std::string(60, 'a') + ' ' + std::string(60, 'b') + '.');
  all[1].help = help;
  CHECK(exampleYaml(all, headings, "")
            .find("  # " + std::string(60, 'a') + "\n  # " + std::string(60, 'b') + ".\n") !=
        std::string::npos);
}

TEST_CASE("the table has a line for each key and for each key of an entry") {
  CHECK(markdownTable(rows()) ==
        "| Key | Type | Default | Elsewhere | Meaning |\n|---|---|---|---|---|\n"
        "| `count` | whole number, 1 to 9 | `3` | `--count`, `DEMO` | It is one \\| of them. |\n"
        "| `log.level` | serve, warn, hold | `warn` | `DEMO` | It is one \\| of them. |\n"
        "| `log.rules` | list of rules | `[]` | `DEMO` | It is one \\| of them. |\n"
        "| `log.rules[].name` | text |  |  | It is one \\| of them. |\n"
        "| `log.rules[].days` | text | `x` |  | It is one \\| of them. |\n");
}

TEST_CASE("the table has the keys of entries of entries") {
  Row inner;
  inner.name = "name";
  Row list;
  list.name = "filters";
  list.shape = Shape::Entries;
  list.entries = "plugins";
  list.parts = {inner};
  Row outer = list;
  outer.name = "sources";
  outer.parts = {list};
  const std::vector<Row> all{outer};
  const std::string table = markdownTable(all);
  CHECK(table.find("| `sources[].filters` | list of plugins |") != std::string::npos);
  CHECK(table.find("| `sources[].filters[].name` | text |") != std::string::npos);
}

TEST_CASE("the schema has limits, words, defaults and what an entry must have") {
  const Result<Json> schema = parseJson(jsonSchema(rows(), headings, "Demo"));
  REQUIRE(schema);
  CHECK((*schema)["title"] == "Demo");
  CHECK((*schema)["additionalProperties"] == false);
  const Json &count = (*schema)["properties"]["count"], &log = (*schema)["properties"]["log"];
  CHECK(count["type"] == Json::array({"integer", "null"}));
  CHECK(count["minimum"] == 1);
  CHECK(count["default"] == 3);
  CHECK(log["description"] == "The log.");
  CHECK(log["additionalProperties"] == false);
  CHECK(log["properties"]["level"]["enum"] == Json::array({"serve", "warn", "hold", nullptr}));
  const Json &rule = log["properties"]["rules"]["items"];
  CHECK(rule["required"] == Json::array({"name"}));
  CHECK(rule["properties"]["name"]["type"] == "string");
  CHECK(rule["properties"]["name"]["pattern"] == "^[a-z0-9][a-z0-9._-]*$");
  CHECK_FALSE(rule["properties"]["name"].contains("default"));
  CHECK(rule["properties"]["days"]["default"] == "x");
}

TEST_CASE("words are told as a person lists them") {
  CHECK(inWords(words) == "serve, warn or hold");
  CHECK(inWords(std::span(words).first(1)) == "serve");
  CHECK(inWords({}).empty());
}
