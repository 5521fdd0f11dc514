// SPDX-License-Identifier: Apache-2.0
// Tests the format in which features declare their keys, and the messages for mistakes.
#include "settings/declarations.hpp"
#include "settings/shipped.hpp"

#include "catch2.hpp"

using namespace skillhost;
using namespace skillhost::settings;

namespace {

Json document(const std::string &text) {
  Result<Json> json = parseJson(text);
  REQUIRE(json);
  return *std::move(json);
}

// Returns the problem of a key that has these members; empty: none.
std::string problemOf(const std::string &members) {
  const auto read = readDeclarations(document("{\"keys\": [{" + members + "}]}"));
  return read ? std::string() : read.failure().message;
}

// Returns the problem of a flag that also has these members.
std::string problemOfFlag(const std::string &members) {
  return problemOf(R"("key": "a.b", "type": "boolean", "default": true, "description": "It.")" +
                   (members.empty() ? members : ", " + members));
}

} // namespace

TEST_CASE("every type of a key is read with its limits, its default and its place") {
  const auto read = readDeclarations(document(R"({"feature": "demo",
    "sections": [{"name": "demo", "description": "A section."}],
    "keys": [
      {"key": "demo.on", "after": "log.format", "type": "boolean", "default": true,
       "description": "A flag.", "reload": "applied"},
      {"key": "demo.days", "type": "integer", "minimum": 1, "maximum": 1099511627776,
       "default": 90, "description": "A number.", "reload": "refused"},
      {"key": "demo.mode", "type": "string", "enum": ["auto", "off"], "default": "auto",
       "description": "A choice."},
      {"key": "demo.file", "type": "string", "format": "path", "minLength": 1, "maxLength": 4096,
       "option": "--demo-file", "description": "A path.", "requires": {"demo.on": "needs it"}},
      {"key": "demo.from", "type": "array", "names": "sources", "description": "Globs.",
       "items": {"type": "string", "format": "glob", "minLength": 1, "maxLength": 1000}},
      {"key": "sources[].demo", "after": "sources[].threads", "type": "string",
       "format": "secret", "minLength": 16, "maxLength": 1000, "reload": "applied",
       "description": "A secret."}]})"));
  REQUIRE(read);
  REQUIRE(read->sections.size() == 1);
  CHECK(read->sections[0].description == "A section.");
  REQUIRE(read->keys.size() == 6);
  const Declaration &on = read->keys[0], &days = read->keys[1], &mode = read->keys[2];
  const Declaration &file = read->keys[3], &from = read->keys[4], &entry = read->keys[5];
  CHECK(on.type == Type::Flag);
  CHECK(on.after == "log.format");
  CHECK(on.standard == true);
  CHECK(on.reload == Reload::Applied);
  CHECK(days.type == Type::WholeNumber);
  CHECK(days.minimum == 1);
  CHECK(days.maximum == 1'099'511'627'776);
  CHECK(days.after == "demo.on"); // the default order
  CHECK(days.reload == Reload::Refused);
  CHECK(mode.type == Type::Choice);
  CHECK(mode.choices == std::vector<std::string>{"auto", "off"});
  CHECK(mode.reload == Reload::Restart);
  CHECK(file.type == Type::Text);
  CHECK(file.meaning == Meaning::Path);
  CHECK(file.option == "--demo-file");
  CHECK(file.standard.is_null());
  CHECK(file.needed.at("demo.on") == "needs it");
  CHECK(from.type == Type::TextList);
  CHECK(from.meaning == Meaning::Glob);
  CHECK(from.maximum == 1'000);
  CHECK(from.namesSources);
  CHECK(from.standard == Json::array());
  CHECK(entry.key == "sources[].demo");
  CHECK(entry.meaning == Meaning::Secret);
}

TEST_CASE("what is wrong is told with the key and what to write") {
  CHECK(problemOfFlag("").empty());
  CHECK(problemOfFlag("\"typ\": 1") ==
        "a.b: unknown member \"typ\"; known here: key, after, option, type, default, description, "
        "reload, requires");
  CHECK(problemOfFlag("\"minimum\": 1").starts_with("a.b: unknown member \"minimum\""));
  CHECK(problemOfFlag("\"reload\": \"never\"") ==
        "a.b: reload: expected one of restart, applied, refused");
  CHECK(problemOfFlag("\"option\": \"-x\"") == "a.b: option: expected a name such as --audit-log");
  CHECK(problemOfFlag("\"after\": \"sources[].name\"") ==
        "a.b: after: expected a key of the same list");
  CHECK(problemOfFlag("\"requires\": {\"a\": 1}") ==
        "a.b: requires: expected keys, each with what to say where it is not set");
  CHECK(problemOf(R"("key": "a.b.c", "type": "boolean", "default": true, "description": "It.")") ==
        "a.b.c: key: expected NAME, SECTION.NAME or sources[].NAME");
  CHECK(problemOf(R"("key": "tools[].a", "type": "boolean", "default": true)")
            .starts_with("tools[].a: key: expected"));
  CHECK(problemOf(R"("type": "boolean")") == "keys: key: expected a text of one line");
  CHECK(problemOf(R"("key": "a", "type": "float", "description": "It.")") ==
        "a: type: expected boolean, integer, string or array");
  CHECK(problemOf(R"("key": "a", "type": "boolean", "description": "It.")") ==
        "a: default: is missing: a text alone may have none");
  CHECK(problemOf(R"("key": "a", "type": "boolean", "default": 1, "description": "It.")") ==
        "a: default: is no value that the key may have");
  CHECK(problemOf(R"("key": "a", "type": "boolean", "default": true)") ==
        "a: description: expected a text of one line");
  CHECK(problemOf(R"("key": "a", "type": "boolean", "default": true, "description": "It")") ==
        "a: description: expected sentences, with a full stop at the end");
  const std::string number = R"("key": "a", "type": "integer", "description": "It.", )";
  CHECK(problemOf(number + R"("minimum": 1, "default": 1)") ==
        "a: maximum: expected a whole number that is not negative");
  CHECK(problemOf(number + R"("minimum": -1, "maximum": 2, "default": 1)") ==
        "a: minimum: expected a whole number that is not negative");
  CHECK(problemOf(number + R"("minimum": 3, "maximum": 2, "default": 3)") ==
        "a: minimum is more than maximum");
  CHECK(problemOf(number + R"("minimum": 1, "maximum": 2, "default": 3)") ==
        "a: default: is no value that the key may have");
  const std::string text = R"("key": "a", "type": "string", "description": "It.", )";
  CHECK(problemOf(text + R"("maxLength": 9, "format": "email")")
            .starts_with("a: format: expected one of path, glob, "));
  CHECK(problemOf(text + R"("enum": ["one"], "default": "one")") ==
        "a: enum: expected two texts or more");
  CHECK(problemOf(text + R"("enum": ["a", "b"], "default": "c")") ==
        "a: default: is no value that the key may have");
  CHECK(problemOf(text + R"("maxLength": 9, "format": "secret", "default": "x")") ==
        "a: default: a path, a secret and a reference have none");
  const std::string list = R"("key": "a", "type": "array", "description": "It.", )";
  CHECK(problemOf(list + R"("default": [])").starts_with("a: items: expected {"));
  CHECK(problemOf(list + R"("items": {"type": "string", "maxLength": 9}, "names": "sources")") ==
        "a: names: expected \"sources\", beside items of the format glob");
  CHECK(problemOf(
            R"("key": "sources[].a", "type": "boolean", "default": true, "description": "It.")") ==
        "sources[].a: reload: expected applied: a running server takes over the entries of its "
        "sources");
  const auto section = readDeclarations(document(R"({"sections": [{"name": "x"}]})"));
  REQUIRE_FALSE(section);
  CHECK(section.failure().message == "the section x: description: expected a text of one line");
  CHECK_FALSE(readDeclarations(document("[]")));
  CHECK_FALSE(readDeclarations(document(R"({"key": []})")));
}

TEST_CASE("no two features declare the same key, option or section") {
  const std::string flag = R"("type": "boolean", "default": true, "description": "It."})";
  const auto all = [&](const std::string &one, const std::string &other) {
    return readAll("[{\"feature\": \"one\", " + one + "},{\"feature\": \"two\", " + other + "}]");
  };
  const auto key = [&](const std::string &name, const std::string &more = "") {
    return R"("keys": [{"key": ")" + name + "\", " + more + flag + "]";
  };
  CHECK(all(key("a"), key("b")));
  CHECK(all(key("a"), key("a")).failure().message == "a is declared twice, by one and by two");
  CHECK(
      all(key("a", R"("option": "--on", )"), key("b", R"("option": "--on", )")).failure().message ==
      "--on is declared twice, by one and by two");
  const std::string section = R"("sections": [{"name": "s", "description": "It."}])";
  CHECK(all(section, section).failure().message ==
        "the section s is declared twice, by one and by two");
}

TEST_CASE("a list of rules is read with the keys of a rule") {
  const auto read = readDeclarations(document(R"({"keys": [
    {"key": "a.rules", "type": "array", "description": "Rules.", "items": {"type": "object",
      "properties": {
        "from": {"type": "array", "names": "sources", "description": "Globs.",
          "items": {"type": "string", "format": "glob", "maxLength": 100}},
        "action": {"type": "string", "enum": ["pass", "hold"], "description": "What."},
        "when": {"type": "array", "items": {"type": "string", "enum": ["new", "old"]},
          "default": ["new"], "description": "When."}},
      "required": ["action"], "examples": [{"action": "hold"}]}},
    {"key": "a.file", "type": "string", "format": "path", "maxLength": 9, "beside": "a.json",
     "or_here": true, "description": "A file."}]})"));
  REQUIRE(read);
  REQUIRE(read->keys.size() == 2);
  const Declaration &rules = read->keys[0], &file = read->keys[1];
  CHECK(rules.type == Type::RuleList);
  CHECK(rules.standard == Json::array());
  CHECK(rules.examples[0]["action"] == "hold");
  REQUIRE(rules.parts.size() == 3);
  CHECK(rules.parts[0].key == "from");
  CHECK(rules.parts[0].namesSources);
  CHECK_FALSE(rules.parts[0].isRequired);
  CHECK(rules.parts[1].isRequired);
  CHECK(rules.parts[1].standard.is_null());
  CHECK(rules.parts[2].type == Type::TextList);
  CHECK(rules.parts[2].choices == std::vector<std::string>{"new", "old"});
  CHECK(rules.parts[2].standard == Json::array({"new"}));
  CHECK(file.beside == "a.json");
  CHECK(file.orHere);
}

TEST_CASE("what is wrong with a list of rules is told with the key of the rule") {
  const auto problem = [](const std::string &properties, const std::string &more) {
    return problemOf(R"("key": "a", "type": "array", "description": "It.", "items": {)"
                     R"("type": "object", "properties": {)" +
                     properties + "}" + more + "}");
  };
  const std::string good = R"("x": {"type": "string", "enum": ["p", "q"], "description": "It.")";
  const std::string examples = R"(, "examples": [{"x": "p"}])";
  CHECK(problem(good + R"(, "default": "p"})", examples).empty());
  CHECK(problem(good + "}", R"(, "required": ["x"])" + examples).empty());
  CHECK(problem(good + "}", examples) == "a[].x: default: is missing: a text alone may have none");
  CHECK(problem(good + R"(, "default": "p"})", R"(, "required": ["x"])" + examples) ==
        "a[].x: default: what is required has none, and is a choice");
  CHECK(problem(good + R"(, "default": "p", "option": "--x"})", examples) ==
        "a[].x: unknown member \"option\"; known here: type, default, description, enum");
  CHECK(problem(R"("X": 1)", examples) == "a[].X: expected a-z, 0-9 and _");
  CHECK(problem(R"("x": 1)", examples) == "a[].x: expected an object");
  CHECK(problem(R"("x": {"type": "array", "items": {"type": "object"}})", examples)
            .starts_with("a[].x: items: expected {"));
  CHECK(problem(good + R"(, "default": "p"})", R"(, "required": ["y"])" + examples) ==
        "a: items: expected properties, among which are those that are required");
  CHECK(problem("", examples) ==
        "a: items: expected properties, among which are those that are required");
  CHECK(problem(good + R"(, "default": "p"})", "") ==
        "a: items: examples: expected a rule or more");
  const std::string text =
      R"("key": "a", "type": "string", "maxLength": 9, "description": "It.", )";
  CHECK(problemOf(text + R"("beside": "x")") ==
        "a: beside: expected the name of a file, beside the format path");
  CHECK(problemOf(text + R"("format": "path", "beside": "x/y")") ==
        "a: beside: expected the name of a file, beside the format path");
  CHECK(problemOf(text + R"("format": "path", "or_here": true)") ==
        "a: or_here: is for a path with beside");
}

TEST_CASE("the list of features that we ship has their keys and options") {
  const auto all = readShipped(R"({"plugins/a/b": {"keys": ["k", "s.l"], "options": ["--k"]}})");
  REQUIRE(all);
  REQUIRE(all->size() == 1);
  CHECK(all->front().folder == "plugins/a/b");
  CHECK(all->front().keys == std::vector<std::string>{"k", "s.l"});
  CHECK(all->front().options == std::vector<std::string>{"--k"});
  for (const char *text : {"", "[]", R"({"a": {"keys": [1], "options": []}})",
                           R"({"a": {"keys": []}})", R"({"a": 1})"}) {
    INFO(text);
    CHECK_FALSE(readShipped(text));
  }
}
