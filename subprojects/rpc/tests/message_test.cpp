// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/message.hpp"
#include "rpc/revision.hpp"

#include <string>

using namespace skillhost;

namespace {
ParsedMessage parseMessage(std::string_view text) { return skillhost::parseMessage(text, 1000); }

Refusal refusal(std::string_view text) {
  const ParsedMessage parsed = parseMessage(text);
  REQUIRE_FALSE(parsed.message);
  return parsed.refusal;
}
} // namespace

TEST_CASE("requests, notifications and responses are told apart") {
  const ParsedMessage request =
      parseMessage(R"({"jsonrpc":"2.0","id":"7","method":"m","params":{"a":1}})");
  REQUIRE(request.message);
  CHECK(request.message->kind == Message::Kind::Request);
  CHECK(request.message->id == "\"7\"");
  CHECK(request.message->params["a"] == 1);
  CHECK(parseMessage(R"({"jsonrpc":"2.0","method":"m"})").message->kind ==
        Message::Kind::Notification);
  CHECK(parseMessage(R"({"jsonrpc":"2.0","id":1,"result":{}})").message->kind ==
        Message::Kind::Response);
  CHECK(parseMessage(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})")
            .message->params.empty());
}

TEST_CASE("what is no message is refused, under its id where it has one") {
  CHECK(refusal("{").failure.fault == Fault::ParseError);
  CHECK(refusal("[]").failure.fault == Fault::InvalidRequest);
  CHECK(refusal("7").failure.fault == Fault::InvalidRequest);
  CHECK(refusal(R"({"jsonrpc":"2.0","id":5})").id == "5");
  CHECK(refusal(R"({"jsonrpc":"1.0","id":5,"method":"m"})").id == "5");
  CHECK(refusal(R"({"jsonrpc":"2.0","id":5,"method":7})").failure.fault == Fault::InvalidRequest);
  CHECK(refusal(R"({"jsonrpc":"2.0","id":5,"method":"m","params":[1]})").failure.fault ==
        Fault::InvalidParams);
  for (const char *id : {"null", "1.5", "{}", "[]", "true"})
    CHECK(refusal(R"({"jsonrpc":"2.0","method":"m","id":)" + std::string(id) + "}").id == "null");
}

TEST_CASE("what would take too much memory is refused before it is looked at") {
  const auto message = [](const std::string &params) {
    return R"({"jsonrpc":"2.0","id":5,"method":"m","params":)" + params + "}";
  };
  const auto objects = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "{}" : ",{}";
    return R"({"a":[)" + text + "]}";
  };
  // The message, its members and the array count as values, too.
  CHECK(parseMessage(message(objects(994))).message);
  CHECK(refusal(message(objects(995))).failure.message == "more than 1000 values");
  CHECK(refusal(message(objects(100'000))).failure.fault == Fault::InvalidRequest);

  const auto with = [](std::size_t id, std::size_t method) {
    return R"({"jsonrpc":"2.0","id":")" + std::string(id, 'i') + R"(","method":")" +
           std::string(method, 'm') + "\"}";
  };
  CHECK(parseMessage(with(1024, 256)).message);
  CHECK(refusal(with(1025, 256)).id == "null");
  CHECK(refusal(with(1, 257)).failure.message == "method must be a string of at most 256 bytes");
  CHECK(refusal(with(1, 257)).id == R"("i")");
}

TEST_CASE("a notification is never answered, not even a wrong one") {
  CHECK_FALSE(refusal(R"({"jsonrpc":"2.0","method":"m","params":[1]})").mustAnswer);
}

TEST_CASE("the two eras differ in what stands around the same result") {
  const auto result = [](ProtocolFamily family, const char *members) {
    return Json::parse(
        resultMessage(family, "1", Fragments(members), cachedBriefly, "9.9").text())["result"];
  };
  CHECK(result(ProtocolFamily::Legacy, R"("a":1)") == Json{{"a", 1}});
  CHECK(result(ProtocolFamily::Legacy, "") == Json::object());
  const Json modern = result(ProtocolFamily::Modern, R"("a":1)");
  CHECK(modern["resultType"] == "complete");
  CHECK(modern["ttlMs"] == 5000);
  CHECK(modern["cacheScope"] == "public");
  CHECK(modern["_meta"]["io.modelcontextprotocol/serverInfo"]["version"] == "9.9");
  CHECK(modern["a"] == 1);
  CHECK(result(ProtocolFamily::Modern, "").size() == 4);
}

TEST_CASE("the handshake agrees on the version asked for, or on our newest legacy one") {
  CHECK(negotiate("2025-03-26") == "2025-03-26");
  CHECK(negotiate("2026-07-28") == "2025-11-25");
  CHECK(negotiate("nonsense") == "2025-11-25");
}
