// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "runtime/envelope.hpp"

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
  const Json out = read(envelope(result, 7ms));
  CHECK(out["content"][0]["text"] == "one\n\"two\"");
  CHECK_FALSE(out.contains("isError"));
  CHECK(out["structuredContent"] ==
        Json{{"success", true},
             {"data", {{"n", 1}}},
             {"metadata", {{"durationMs", 7}, {"cached", false}, {"truncated", true}}}});
}

TEST_CASE("INV-MCP-RESP-002 and 006: a failure has a code and says truly whether to try again") {
  const ToolFailure failure{{Fault::Unavailable, "upstream is down"}, R"({"source":"x"})", 1500ms};
  const Json out = read(envelope(failure, 3ms));
  CHECK(out["isError"] == true);
  CHECK(out["structuredContent"]["success"] == false);
  CHECK(out["structuredContent"]["error"] == Json{{"code", "SERVICE_UNAVAILABLE"},
                                                  {"message", "upstream is down"},
                                                  {"context", {{"source", "x"}}},
                                                  {"retryable", true},
                                                  {"retryAfterMs", 1500}});
  const Json input = read(envelope(ToolFailure{{Fault::InvalidInput, "no"}, {}, 1500ms}, 0ms));
  CHECK(input["structuredContent"]["error"]["retryable"] == false);
  CHECK_FALSE(input["structuredContent"]["error"].contains("retryAfterMs"));
}

TEST_CASE("INV-MCP-RESP-006: every fault says what its table says, and only waiting helps some") {
  std::size_t retryable = 0;
  for (int number = 0; number <= static_cast<int>(Fault::Unauthenticated); ++number) {
    const auto fault = static_cast<Fault>(number);
    const ToolFailure failure{{fault, "why"}, {}, 10ms};
    const Json error = read(envelope(failure, 0ms))["structuredContent"]["error"];
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
    return read(envelope(failure, 0ms))["structuredContent"]["error"]["message"].get<std::string>();
  };
  CHECK(message(std::string(5000, 'x')).size() == 1000);
  CHECK_FALSE(message("").empty());
}
