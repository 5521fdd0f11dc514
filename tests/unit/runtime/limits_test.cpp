// SPDX-License-Identifier: Apache-2.0
#include "base/truncation.hpp"
#include "catch2.hpp"
#include "runtime/limits.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;

namespace {
Failure violation(const Limits &limits, const Json &arguments, std::string_view tool = "any") {
  const auto found = checkArguments(limits, tool, arguments);
  REQUIRE(found.size() == 1);
  return refusalOf(found).failure;
}
bool fits(const Limits &limits, std::string_view tool, const Json &arguments) {
  return checkArguments(limits, tool, arguments).empty();
}
bool names(const Failure &failure, const std::string &part) {
  return failure.message.find(part) != std::string::npos;
}
} // namespace

TEST_CASE(
    "INV-MCP-LIMIT-001 and 004: an array over its limit is named with path, limit and actual") {
  Limits limits;
  Json arguments{{"list", Json::array()}};
  for (int i = 0; i < 100; ++i) arguments["list"].push_back(i);
  CHECK(fits(limits, "any", arguments));
  arguments["list"].push_back(100);
  const Failure failure = violation(limits, arguments);
  CHECK(failure.fault == Fault::ArrayTooLarge);
  CHECK(names(failure, "arguments.list"));
  CHECK(names(failure, "101"));
  CHECK(names(failure, "100"));
}

TEST_CASE("INV-MCP-LIMIT-003: a tool's own limit comes first") {
  Limits limits;
  limits.toolArrayItems["wide"] = 3;
  const Json four{{"list", {1, 2, 3, 4}}};
  CHECK(fits(limits, "other", four));
  CHECK(violation(limits, four, "wide").fault == Fault::ArrayTooLarge);
}

TEST_CASE("strings are counted in characters, depth in levels, and each is named") {
  Limits limits;
  limits.stringCharacters = 3;
  CHECK(fits(limits, "any", Json{{"s", "\xC3\xA9\xC3\xA9\xC3\xA9"}}));
  CHECK(names(violation(limits, Json{{"s", "abcd"}}), "arguments.s"));
  Json deep = 1;
  for (int i = 0; i < 9; ++i) deep = Json{{"d", deep}};
  CHECK(fits(Limits{}, "any", deep));
  deep = Json{{"d", deep}};
  CHECK(names(violation(Limits{}, deep), ": a depth of 11 is more than the limit of 10"));
  CHECK(names(violation(limits, Json{{"long key", 1}}), "characters"));
  Json wide = Json::object();
  for (int i = 0; i < 101; ++i) wide["k" + std::to_string(i)] = i;
  CHECK(names(violation(Limits{}, Json{{"w", wide}}), "arguments.w: 101 members"));
}

TEST_CASE("INV-MCP-LIMIT-004: all violations are told, each as a structure") {
  Limits limits;
  limits.stringCharacters = 3;
  limits.arrayItems = 2;
  const Json arguments{{"l", {1, 2, 3}}, {"m", {{"s", "abcd"}}}};
  const ToolFailure refusal = refusalOf(checkArguments(limits, "any", arguments));
  CHECK(refusal.failure.fault == Fault::ArrayTooLarge);
  CHECK(names(refusal.failure, "arguments.l: 3 items are more than the limit of 2; "));
  CHECK(names(refusal.failure, "arguments.m.s: 4 characters are more than the limit of 3"));
  const Json errors = Json::parse(refusal.context).at("errors");
  REQUIRE(errors.size() == 2);
  CHECK(errors[0] == Json{{"path", "arguments.l"},
                          {"code", "ARRAY_TOO_LARGE"},
                          {"message", "arguments.l: 3 items are more than the limit of 2"},
                          {"limit", 2},
                          {"actual", 3}});
  CHECK(errors[1].at("path") == "arguments.m.s");
  CHECK(errors[1].at("code") == "INVALID_INPUT");
}

TEST_CASE("one is told as one, and of very many violations the first are told") {
  Limits limits;
  limits.arrayItems = 0;
  CHECK(names(violation(limits, Json::array({1})), "1 item is more than the limit of 0"));
  Limits narrow;
  narrow.stringCharacters = 1;
  Json many = Json::array();
  for (int i = 0; i < 100; ++i) many.push_back("xx");
  CHECK(checkArguments(narrow, "any", many).size() == maxViolations);
}

TEST_CASE("a text is cut between characters and marked") {
  std::string text = "\xC3\xA9\xC3\xA9\xC3\xA9";
  CHECK_FALSE(truncate(text, 3));
  text.assign(100, 'x');
  CHECK(truncate(text, 20));
  CHECK(text == "xxxxx" + std::string(truncationMark));
}
