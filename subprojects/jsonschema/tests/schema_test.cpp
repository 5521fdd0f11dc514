// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "jsonschema/schema.hpp"

#include <string>

using namespace skillhost;

namespace {

std::string refused(const std::string &properties, const std::string &config) {
  return render(*checkAgainstSchema(
      R"({"type":"object","required":["n"],"additionalProperties":false,"properties":{)" +
          properties + "}}",
      config));
}

} // namespace

TEST_CASE("every violation is told with its path, the value, and what to write") {
  const std::string n =
      R"("n":{"type":"integer","minimum":1,"maximum":9,"description":"How many. Whole."})";
  CHECK(refused(n, R"({"n":1})").empty());
  CHECK(refused(n, R"({"n":"x"})") ==
        R"(config.n: expected a whole number from 1 to 9, found "x")");
  CHECK(refused(n, R"({"n":10})") ==
        "config.n: expected a number from 1 to 9, found the number 10");
  CHECK(refused(n, "{}") == "config: \"n\" is missing (How many)");
  CHECK(refused(n, R"({"n":1,"m":1})") == "config.m: unknown key \"m\"");
  CHECK(refused(R"("n":{"enum":["on","off"]})", R"({"n":"of"})") ==
        R"(config.n: expected on or off, found "of")");
  CHECK(refused(R"("n":{"type":["array","null"],"items":{"type":"string"}})", R"({"n":["a",1]})") ==
        "config.n[1]: expected a text, found the number 1: put it in quotes");
  // A value that may be a secret is never quoted, even when it is none.
  CHECK(refused(R"("n":{},"api_token":{"type":"string"})", R"({"n":1,"api_token":12345678})") ==
        "config.api_token: expected a text, found a number: put it in quotes");
  CHECK(refused(R"("n":{},"tokens":{"type":"array","items":{"type":"string","minLength":9}})",
                R"({"n":1,"tokens":["abcdefgh"]})") ==
        "config.tokens[0]: a text is shorter than 9 characters");
  CHECK(
      refused(R"("n":{},"Secret":{"type":"string","pattern":"^a$"})", R"({"n":1,"Secret":"b"})") ==
      "config.Secret: a text is not written as it must be: it has to match ^a$");
  CHECK(refused(R"("n":{"type":"array"})", R"({"n":"a"})") ==
        R"(config.n: expected a list, found "a": put it in brackets)");
  CHECK(refused(R"("n":{"type":"array","minItems":1})", R"({"n":[]})") ==
        "config.n: needs at least 1 entry, found an empty list");
  CHECK(refused(R"("n":{"type":"array","uniqueItems":true})", R"({"n":["a","a"]})") ==
        R"(config.n[1]: "a" is a duplicate: keep one of them)");
  CHECK(refused(R"("n":{"type":"string","minLength":1})", R"({"n":""})") ==
        "config.n: must not be empty");
  CHECK(refused(R"("n":{"pattern":"^/","description":"An absolute path."})", R"({"n":"a"})") ==
        R"(config.n: "a" is not written as it must be (An absolute path))");
  CHECK(refused(R"("n":{"exclusiveMinimum":0})", R"({"n":0})") ==
        "config.n: expected a number above 0, found the number 0");
  CHECK(refused(R"("n":{"$ref":"#/properties/m"},"m":{"type":"boolean"})", R"({"n":0})") ==
        "config.n: expected true or false, found the number 0");
  CHECK(refused(R"("n":{"properties":{"p":{"type":"number"}}})", R"({"n":{"p":[]}})") ==
        "config.n.p: expected a number, found a list");
}

TEST_CASE("words that are not known come with those that are") {
  const SettingProblems unknown = *checkAgainstSchema(
      R"({"properties":{"url":{},"ref":{}},"additionalProperties":false})", R"({"urll":1})");
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].setting == "config.urll");
  CHECK(unknown[0].word == "urll");
  CHECK(unknown[0].known == std::vector<std::string>{"ref", "url"});
  const SettingProblems choice =
      *checkAgainstSchema(R"({"properties":{"w":{"enum":["poll",1]}}})", R"({"w":"pol"})");
  REQUIRE(choice.size() == 1);
  CHECK(choice[0].known == std::vector<std::string>{"poll"});
}

TEST_CASE("rules that combine others are refused at their place, and a broken schema is told") {
  CHECK(refused(R"("n":{"anyOf":[{"type":"string"},{"type":"null"}]})", R"({"n":1})")
            .starts_with("config.n: does not fit the schema"));
  CHECK_FALSE(checkAgainstSchema("{not json", "{}"));
}

TEST_CASE("a schema that is no schema is refused, and the process goes on") {
  const Result<SettingProblems> checked =
      checkAgainstSchema(R"({"type":"object","properties":{"n":{"type":5}}})", R"({"n":1})");
  REQUIRE(!checked);
  CHECK(checked.failure().fault == Fault::InvalidFormat);
  CHECK_FALSE(checked.failure().message.empty());
}

namespace {

std::string unusable(const std::string &schema, const std::string &document = R"({"n":"x"})") {
  const Result<SettingProblems> checked = checkAgainstSchema(schema, document);
  return checked ? "usable: " + render(*checked) : checked.failure().message;
}

std::string repeated(std::size_t times, const std::string &text) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

} // namespace

TEST_CASE("a schema that refers to itself without a step into the document is refused") {
  const std::string back = " leads back to itself without a step into properties or items";
  CHECK(unusable(R"({"$ref":"#"})") == "the $ref \"#\"" + back);
  CHECK(unusable(R"({"allOf":[{"$ref":"#"}]})") == "the $ref \"#\"" + back);
  CHECK(unusable(R"({"$ref":"#/definitions/a","definitions":{"a":{"$ref":"#/definitions/b"},
                     "b":{"$ref":"#/definitions/a"}}})")
            .ends_with(back));
  CHECK(
      unusable(R"({"properties":{"n":{"if":{"not":{"$ref":"#/properties/n"}}}}})").ends_with(back));
  CHECK(unusable(R"({"dependencies":{"n":{"$ref":"#"}}})").ends_with(back));
  const std::string tree = R"({"properties":{"n":{"$ref":"#"},"l":{"type":"integer"}}})";
  CHECK(unusable(tree, R"({"n":{"n":{"l":1}}})") == "usable: ");
  CHECK(unusable(tree, R"({"n":{"n":{"l":"x"}}})").starts_with("usable: config.n.n.l: expected"));
}

TEST_CASE("a reference that could be read in two ways, or leads elsewhere, is refused") {
  CHECK(unusable(R"({"$ref":"http://127.0.0.1:9/x"})").find("names nothing in it") !=
        std::string::npos);
  CHECK(unusable(R"({"$ref":"#/definitions/none"})").find("names nothing in it") !=
        std::string::npos);
  for (const char *odd : {"#//definitions/a", "#/definitions/a/", "#/definitions/%61", "#a"})
    CHECK(unusable(std::string(R"({"definitions":{"a":{}},"$ref":")") + odd + "\"}")
              .ends_with("is not written like #/definitions/name"));
  CHECK(unusable(R"({"properties":{"n":{"$ref":"#/definitions/a~1b/allOf/0"}},
                     "definitions":{"a/b":{"allOf":[{"type":"string"}]}}})") == "usable: ");
  // An id would give the inner schema the name of the outer one.
  CHECK(unusable(R"({"properties":{"n":{"id":"u:/x","allOf":[{"id":"u:","type":"string"}]}}})") ==
        "usable: ");
}

TEST_CASE("a schema that is too large, too deep or applied too often is refused") {
  CHECK(unusable('"' + std::string(256 * 1024, 'x') + '"') == "it has more than 262144 bytes");
  CHECK(unusable(repeated(5000, R"({"not":)") + "{}" + repeated(5000, "}")) ==
        "it is nested more than 64 levels deep");
  CHECK(unusable(R"({"const":"[[\"]})", repeated(65, "[") + repeated(65, "]")) ==
        "usable: config: is nested more than 64 levels deep");
  const auto chain = [](std::size_t length, const std::string &before, const std::string &after) {
    std::string text = R"({"$ref":"#/definitions/0","definitions":{)";
    for (std::size_t i = 0; i < length; ++i) {
      const std::string next = R"({"$ref":"#/definitions/)" + std::to_string(i + 1) + R"("})";
      text += '"' + std::to_string(i) + "\":{" + before + next + after + "},";
    }
    return text + '"' + std::to_string(length) + R"(":{}}})";
  };
  CHECK(unusable(chain(4000, R"("not":)", "")) ==
        "its references name too many schemas that are deeply nested");
  CHECK(unusable(chain(100, R"("not":)", "")) ==
        "more than 64 of its schemas stand in each other for one value");
  CHECK(unusable(chain(200, R"("properties":{"n":)", "}")) == "usable: ");
  CHECK(unusable(chain(20, R"("allOf":[{"type":"object"},)",
                       R"(,{"anyOf":[{"$ref":"#/definitions/20"}]}])")) == "usable: ");
  std::string doubling = R"({"$ref":"#/definitions/0","definitions":{)";
  for (int i = 0; i < 30; ++i) {
    const std::string next = R"({"$ref":"#/definitions/)" + std::to_string(i + 1) + R"("})";
    doubling += '"' + std::to_string(i) + R"(":{"allOf":[)" + next + ',' + next + "]},";
  }
  CHECK(unusable(doubling + R"("30":{}}})") ==
        "it would be applied more than 100000 times to one value");
  const std::string step = R"({"properties":{"n":{"$ref":"#"}}})";
  CHECK(unusable(R"({"allOf":[)" + step + repeated(9, "," + step) + "]}",
                 R"({"n":{"n":{"n":{"n":{"n":{}}}}}})") ==
        "it would be applied more than 100000 times to one value");
  CHECK(unusable(R"({"properties":{"n":{"multipleOf":0}}})", R"({"n":1})") ==
        "a multipleOf is not above 0");
}

TEST_CASE("a pattern takes neither the stack nor exponential time, and a long text is refused") {
  CHECK(refused(R"("n":{"pattern":"^(a|b)*$"})", R"({"n":")" + std::string(200'000, 'a') + "\"}") ==
        "config.n: has a text of more than 16384 bytes, which is too long to be compared with a "
        "pattern");
  CHECK(refused(R"("n":{"pattern":"^(a|b)*$"})", R"({"n":")" + std::string(16'384, 'a') + "\"}") ==
        "");
  CHECK(refused(R"("n":{"pattern":"(a+)+$"})", R"({"n":")" + std::string(34, 'a') + "!\"}") ==
        "config.n: \"" + std::string(34, 'a') +
            "!\" is not written as it must be: it has to match (a+)+$");
  const std::string names =
      R"("n":{"patternProperties":{"(a+)+$":false},"additionalProperties":true})";
  CHECK(refused(names, R"({"n":{")" + std::string(34, 'a') + "!\":1}}") == "");
  CHECK(refused(names, R"({"n":{")" + std::string(34, 'a') + "\":1}}") != "");
  CHECK(refused(names, R"({"n":{")" + std::string(200'000, 'a') + "\":1}}")
            .starts_with("config: has a text of more than 16384 bytes"));
  CHECK(refused(R"("n":{"not":{"pattern":"a"}})",
                R"({"n":")" + std::string(200'000, 'b') + "\"}") != "");
  CHECK(refused(R"("n":{"format":"date"})", R"({"n":")" + std::string(200'000, '1') + "\"}") != "");
  CHECK(refused(R"("n":{"format":"date"})", R"({"n":"2026-02-28"})") == "");
  CHECK(refused(R"("n":{"format":"date"})", R"({"n":"2026-02-31"})") != "");
  CHECK(refused(R"("n":{"format":"date-time"})", R"({"n":"2026-02-28T10:00:00Z"})") == "");
  CHECK(refused(R"("n":{"format":"time"})", R"({"n":"10:00:00"})") != "");
}

TEST_CASE("a pattern that cannot be used is named") {
  CHECK(unusable(R"_({"properties":{"n":{"pattern":"(?=a)"}}})_")
            .starts_with("the pattern \"(?=a)\" is not understood by RE2"));
  CHECK(unusable(R"({"patternProperties":{"(":{}}})").starts_with("the pattern \"(\" is not"));
  CHECK(unusable(R"({"pattern":")" + std::string(1001, 'a') + "\"}")
            .ends_with("has more than 1000 bytes"));
  CHECK(unusable(R"({"pattern":"((a{1000}){1000}){1000}"})").starts_with("the pattern"));
}

TEST_CASE("a whole number may be written with a fraction of nothing") {
  CHECK(refused(R"("n":{"type":"integer","maximum":3})", R"({"n":3.0})") == "");
  CHECK(refused(R"("n":{"enum":[3.0]})", R"({"n":3})") == "");
  CHECK(refused(R"("n":{"const":3})", R"({"n":3.0})") == "");
  CHECK(refused(R"("n":{"type":"number"})", R"({"n":3.0})") == "");
  CHECK(refused(R"("n":{"type":"integer"})", R"({"n":3.5})")
            .starts_with("config.n: expected a whole"));
  CHECK(refused(R"("n":{"items":{"type":"integer"}})", R"({"n":[1e3,-2.0]})") == "");
}
