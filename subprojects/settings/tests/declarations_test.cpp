// SPDX-License-Identifier: Apache-2.0
// Tests the format in which features declare their keys, and the messages for mistakes.
#include "settings/declarations.hpp"

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
  CHECK(days.least == 1);
  CHECK(days.most == 1'099'511'627'776);
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
  CHECK(from.most == 1'000);
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
