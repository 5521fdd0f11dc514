// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "base/fault.hpp"
#include "rpc/envelope.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {
Json read(const Fragments &members) { return Json::parse("{" + members.text() + "}"); }
} // namespace

TEST_CASE("INV-MCP-RESP-001 and 005: a success is an envelope with data, duration and marks") {
  ToolResult result = toolResult(Json{{"n", 1}}, "one\n\"two\"");
  result.truncated = true;
  const Json out = read(envelope(result, 7ms).members);
  CHECK(out["content"][0]["text"] == "one\n\"two\"");
  CHECK_FALSE(out.contains("isError"));
  CHECK(out["structuredContent"] ==
        Json{{"success", true},
             {"data", {{"n", 1}}},
             {"metadata", {{"durationMs", 7}, {"cached", false}, {"truncated", true}}}});
}

TEST_CASE("INV-MCP-RESP-002 and 006: a failure has a code and says truly whether to try again") {
  const ToolFailure failure{{Fault::Unavailable, "upstream is down"}, R"({"source":"x"})", 1500ms};
  const Json out = read(envelope(failure, 3ms).members);
  CHECK(out["isError"] == true);
  CHECK(out["structuredContent"]["success"] == false);
  CHECK(out["structuredContent"]["error"] == Json{{"code", "SERVICE_UNAVAILABLE"},
                                                  {"message", "upstream is down"},
                                                  {"context", {{"source", "x"}}},
                                                  {"retryable", true},
                                                  {"retryAfterMs", 1500}});
  const Json input =
      read(envelope(ToolFailure{{Fault::InvalidInput, "no"}, {}, 1500ms}, 0ms).members);
  CHECK(input["structuredContent"]["error"]["retryable"] == false);
  CHECK_FALSE(input["structuredContent"]["error"].contains("retryAfterMs"));
}

TEST_CASE("INV-MCP-RESP-006: every fault says what its table says, and only waiting helps some") {
  std::size_t retryable = 0;
  for (int number = 0; number <= static_cast<int>(Fault::Unauthenticated); ++number) {
    const auto fault = static_cast<Fault>(number);
    const ToolFailure failure{{fault, "why"}, {}, 10ms};
    const Json error = read(envelope(failure, 0ms).members)["structuredContent"]["error"];
    CHECK(error["code"] == describe(fault).code);
    CHECK(error["retryable"] == describe(fault).retryable);
    CHECK(error.contains("retryAfterMs") == describe(fault).retryable);
    retryable += describe(fault).retryable ? 1 : 0;
  }
  CHECK(retryable >= 4); // timeout, rate, memory, unavailable
  for (const Fault fault : {Fault::InvalidInput, Fault::NotFound, Fault::Internal, Fault::Denied})
    CHECK_FALSE(describe(fault).retryable);
}

TEST_CASE("a message is cut at 1,000 bytes and never empty") {
  const auto message = [](std::string text) {
    const ToolFailure failure{{Fault::Internal, std::move(text)}, {}, {}};
    return read(envelope(failure, 0ms).members)["structuredContent"]["error"]["message"]
        .get<std::string>();
  };
  CHECK(message(std::string(5000, 'x')).size() == 1000);
  CHECK_FALSE(message("").empty());
}

TEST_CASE("text alone: the body goes over once, and the envelope without data is in _meta") {
  ToolResult result = toolResult(Json{{"n", 1}}, "the body");
  result.meta = R"("org.skillhost/facts":{})";
  result.cached = true;
  const Envelope sent = envelope(result, 7ms, ResultForm::Text);
  CHECK(read(sent.members) == Json{{"content", {{{"type", "text"}, {"text", "the body"}}}}});
  CHECK(Json::parse("{" + sent.meta + "}") ==
        Json{{"org.skillhost/facts", Json::object()},
             {"org.skillhost/result",
              {{"success", true},
               {"metadata", {{"durationMs", 7}, {"cached", true}, {"truncated", false}}}}}});
}

TEST_CASE("structured alone has no text, and both forms have nothing more in _meta") {
  const ToolResult result = toolResult(Json{{"n", 1}}, "the body");
  const Envelope sent = envelope(result, 7ms, ResultForm::Structured);
  CHECK(read(sent.members)["content"] == Json::array());
  CHECK(read(sent.members)["structuredContent"]["data"]["n"] == 1);
  CHECK(sent.meta.empty());
  CHECK(envelope(result, 7ms).meta.empty());
}

TEST_CASE("the text of a failure says code, message and whether to try again, in every form") {
  const ToolFailure later{{Fault::Unavailable, "it is down"}, {}, 1500ms};
  const ToolFailure never{{Fault::NotFound, "no such skill"}, R"({"status":"error"})", {}};
  for (const ResultForm form : {ResultForm::Both, ResultForm::Text, ResultForm::Structured}) {
    CHECK(read(envelope(later, 0ms, form).members)["content"][0]["text"] ==
          "SERVICE_UNAVAILABLE: it is down\nRetryable: yes, after 1500 ms.");
    CHECK(read(envelope(never, 0ms, form).members)["content"][0]["text"] ==
          "NOT_FOUND: no such skill\nRetryable: no.");
  }
  const Envelope sent = envelope(never, 3ms, ResultForm::Text);
  CHECK_FALSE(read(sent.members).contains("structuredContent"));
  CHECK(read(sent.members)["isError"] == true);
  CHECK(Json::parse("{" + sent.meta + "}")["org.skillhost/result"] ==
        Json{{"success", false},
             {"error",
              {{"code", "NOT_FOUND"},
               {"message", "no such skill"},
               {"context", {{"status", "error"}}},
               {"retryable", false}}},
             {"metadata", {{"durationMs", 3}}}});
}

TEST_CASE("a notice is said where the model reads, and once a form") {
  ToolResult result = toolResult(Json{{"a", 1}}, "text");
  result.partial = true;
  result.indexed = {3, 10};
  result.notice = "more is \"to come\"";
  const auto read = [&](ResultForm form) {
    const Envelope made = envelope(result, std::chrono::milliseconds(1), form);
    return std::pair{Json::parse("{" + made.members.text() + "}"),
                     Json::parse("{" + made.meta + "}")};
  };
  const Json block{{"type", "text"}, {"text", result.notice}};
  const auto both = read(ResultForm::Both).first;
  CHECK(both["content"].size() == 2);
  CHECK(both["content"][1] == block);
  CHECK(both["structuredContent"]["metadata"]["partial"] == true);
  CHECK(both["structuredContent"]["metadata"]["indexed"] == Json{{"done", 3}, {"total", 10}});
  CHECK(both["structuredContent"]["metadata"]["notice"] == result.notice);
  const auto [text, meta] = read(ResultForm::Text);
  CHECK(text["content"][1] == block);
  CHECK(meta["org.skillhost/result"]["metadata"]["partial"] == true);
  CHECK_FALSE(meta["org.skillhost/result"]["metadata"].contains("notice"));
  const auto structured = read(ResultForm::Structured).first;
  CHECK(structured["content"].empty());
  CHECK(structured["structuredContent"]["metadata"]["notice"] == result.notice);
}
