// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/plugin_result.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;

namespace {

Result<PluginResult> readToolResult(const char *text) {
  return readPluginResult(PluginResultKind::Tool, text, Json{{"sampling", Json::object()}});
}

} // namespace

TEST_CASE("results are held to their shape") {
  CHECK(readToolResult(R"({"content":[{"type":"text","text":"a"}],"isError":true})"));
  for (const char *wrong :
       {"", "[]", "{}", R"({"content":[{"type":"text"}]})", R"({"content":[],"isError":1})",
        R"({"content":[{"type":"other"}]})", R"({"content":[],"resultType":"odd"})",
        R"({"content":[],"structuredContent":[]})"})
    CHECK_FALSE(readToolResult(wrong));
  const auto structured = readToolResult(R"({"structuredContent":{"a":1},"_meta":{"x":2}})");
  REQUIRE(structured);
  CHECK(structured->members["content"][0]["text"] == R"({"a":1})");
  CHECK(structured->meta["x"] == 2);
  CHECK_FALSE(structured->members.contains("_meta"));
}

TEST_CASE("required input names what the client lacks") {
  const auto asked = readToolResult(
      R"({"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create"},"b":{"method":"sampling/createMessage","params":{}}}})");
  REQUIRE(asked);
  CHECK(asked->inputRequired);
  CHECK(asked->requestState == "s");
  CHECK(asked->missingCapabilities == Json{{"elicitation", Json::object()}});
  CHECK_FALSE(readToolResult(R"({"resultType":"input_required"})"));
  CHECK_FALSE(readToolResult(
      R"({"resultType":"input_required","inputRequests":{"a":{"method":"tools/call"}}})"));
}

TEST_CASE("a plugin's result is of the form that was asked for") {
  const auto shaped = [](const char *text, ResultForm form) {
    Result<PluginResult> read = readToolResult(text);
    REQUIRE(read);
    shapeToolResult(read->members, form);
    return read->members;
  };
  const char *const both = R"({"content":[{"type":"text","text":"one"},
    {"type":"image","data":"AA==","mimeType":"image/png"}],"structuredContent":{"n":1}})";
  CHECK(shaped(both, ResultForm::Both)["content"].size() == 2);
  CHECK(shaped(both, ResultForm::Both).contains("structuredContent"));
  CHECK(shaped(both, ResultForm::Text)["content"].size() == 2);
  CHECK_FALSE(shaped(both, ResultForm::Text).contains("structuredContent"));
  const Json structured = shaped(both, ResultForm::Structured);
  REQUIRE(structured["content"].size() == 1);
  CHECK(structured["content"][0]["type"] == "image");
  CHECK(structured["structuredContent"]["n"] == 1);
  // A result that consists only of data, or only of text, keeps it in every form.
  for (const char *const data :
       {R"({"structuredContent":{"n":1}})", R"({"content":[],"structuredContent":{"n":1}})"})
    CHECK(shaped(data, ResultForm::Text)["content"][0]["text"] == R"({"n":1})");
  const char *const words = R"({"content":[{"type":"text","text":"one"}]})";
  CHECK(shaped(words, ResultForm::Structured)["content"].size() == 1);
  const char *const failed =
      R"({"content":[{"type":"text","text":"no"}],"structuredContent":{},"isError":true})";
  CHECK(shaped(failed, ResultForm::Structured)["content"].size() == 1);
}
