// SPDX-License-Identifier: Apache-2.0
#include "base/truncation.hpp"
#include "catch2.hpp"
#include "rpc/result_limit.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

Json sent(const ToolResult &result) {
  const std::string members = envelope(result, 123'456ms).members.text();
  return Json::parse("{" + members + "}");
}

Json cutTo(std::size_t bytes, const Json &data, const std::string &text) {
  ToolResult result = toolResult(data, text);
  REQUIRE(limitResult(result, bytes));
  CHECK(envelope(result, 123'456ms).members.size() <= bytes);
  return sent(result);
}

bool ends(const std::string &text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

TEST_CASE("what fits is left alone") {
  const Json out = cutTo(1024, {{"n", 1}}, std::string(700, 'x'));
  CHECK(out["content"][0]["text"].get<std::string>().size() == 700);
  CHECK(out["structuredContent"]["metadata"]["truncated"] == false);
}

TEST_CASE("INV-MCP-RESP-003 and 004: a text too long is cut, ends in the mark, and is marked") {
  for (const std::string piece : {"x", "\"", "\n", "\x01", "\xC3\xA9", "\xF0\x9F\x98\x80", "a\\"}) {
    std::string text;
    while (text.size() < 5000) text += piece;
    for (std::size_t bytes = 1024; bytes < 1040; ++bytes) {
      const Json out = cutTo(bytes, {{"n", 1}}, text);
      const auto cut = out["content"][0]["text"].get<std::string>();
      CHECK(ends(cut, truncationMark));
      CHECK(text.compare(0, cut.size() - truncationMark.size(), cut, 0,
                         cut.size() - truncationMark.size()) == 0);
      CHECK(cut.size() > 100);
      CHECK(out["structuredContent"]["metadata"]["truncated"] == true);
      CHECK(out["structuredContent"]["data"] == Json{{"n", 1}});
    }
  }
}

TEST_CASE(
    "INV-MCP-RESP-003: data too large loses items of lists, then of texts, never its members") {
  Json list = Json::array();
  for (int i = 0; i < 500; ++i)
    list.push_back({{"path", "file " + std::to_string(i)}, {"size", i}});
  const Json out = cutTo(4096, {{"name", "pdf"}, {"documents", list}, {"total", 500}}, "short");
  const Json &data = out["structuredContent"]["data"];
  CHECK(data["name"] == "pdf");
  CHECK(data["total"] == 500);
  CHECK(data["documents"].size() > 50);
  CHECK(data["documents"].size() < 500);
  CHECK(data["documents"][0] == list[0]);
  CHECK(out["content"][0]["text"] == "short");
  const Json one =
      cutTo(2048, {{"documents", {{{"path", "a"}, {"content", std::string(9000, 'x')}}}}},
            std::string(9000, 'x'))["structuredContent"]["data"];
  CHECK(one["documents"][0]["path"] == "a");
  CHECK(ends(one["documents"][0]["content"].get<std::string>(), truncationMark));
}

TEST_CASE("objects within the data lose members when nothing else is left") {
  Json tools = Json::object();
  for (int i = 0; i < 300; ++i) tools["tool" + std::to_string(i)] = {{"count", i}};
  const Json data =
      cutTo(1024, {{"version", "1"}, {"tools", tools}}, "t")["structuredContent"]["data"];
  CHECK(data["version"] == "1");
  CHECK(data["tools"]["tool0"] == Json{{"count", 0}});
}

TEST_CASE("what cannot be made to fit is not sent") {
  Json numbers = Json::object();
  for (int i = 0; i < 500; ++i) numbers["number " + std::to_string(i)] = i;
  ToolResult result = toolResult(numbers, "text");
  CHECK_FALSE(limitResult(result, 1024));
}

TEST_CASE("what is not sent takes no room") {
  const ToolResult result = toolResult({{"content", std::string(900, 'x')}}, std::string(700, 'y'));
  const auto size = [&](ResultForm form) {
    const Envelope out = envelopeWithin(result, 1ms, 1200, form);
    CHECK((form == ResultForm::Both) ==
          (out.members.text().find(truncationMark) != std::string::npos));
    return out.members.size();
  };
  CHECK(size(ResultForm::Both) <= 1200);
  CHECK(size(ResultForm::Text) > 700);
  CHECK(size(ResultForm::Structured) > 900);
  ToolResult large = toolResult({{"n", 1}}, std::string(3000, 'y'));
  CHECK(envelopeWithin(large, 1ms, 1200, ResultForm::Text).members.size() <= 1200);
}
