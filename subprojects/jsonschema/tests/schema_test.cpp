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
