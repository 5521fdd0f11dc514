// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "catch2.hpp"
#include "client_message.hpp"
#include "refusal.hpp"
#include "rpc/repeated_fields.hpp"

using namespace skillhost;

namespace {

AnswerEnd answered(int status, std::string body = {}, std::string challenge = {}) {
  AnswerEnd end;
  end.head.status = status;
  end.head.challenge = std::move(challenge);
  end.body = std::move(body);
  return end;
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("the words of a challenge reach the client") {
  const RemoteRefusal refusal =
      refusalOf(answered(401, "{}", R"(Bearer error="invalid_token", error_description="old")"));
  CHECK(refusal.code == -31007);
  CHECK(contains(refusal.words, R"(error_description="old")"));
  CHECK(Json::parse(refusal.data)["status"] == 401);
  CHECK(contains(refusal.advice, "--token-file"));
}

TEST_CASE("a redirect is refused, and where it wanted to go is named") {
  AnswerEnd end = answered(307);
  end.head.location = "https://evil.example/mcp";
  const RemoteRefusal refusal = refusalOf(end);
  CHECK(contains(refusal.words, "https://evil.example/mcp"));
  CHECK(contains(refusal.words, "not followed"));
}

TEST_CASE("an error in the body is passed on as it is") {
  const RemoteRefusal refusal = refusalOf(answered(
      400, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"no","data":{"a":1}}})"));
  CHECK(refusal.code == -32020);
  CHECK(refusal.words == "no");
  CHECK(refusal.data == R"({"a":1})");
}

TEST_CASE("a token that a server quotes is masked in what it says") {
  log::redact("quoted-token-of-this-test");
  const RemoteRefusal refusal = refusalOf(answered(
      400,
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"bad quoted-token-of-this-test","data":{"sent":"quoted-token-of-this-test"}}})"));
  CHECK(refusal.words == "bad ***masked***");
  CHECK(refusal.data == R"({"sent":"***masked***"})");
}

TEST_CASE("every other status has words of its own") {
  CHECK(refusalOf(answered(429)).code == -31002);
  CHECK(refusalOf(answered(503)).code == -31004);
  CHECK(contains(refusalOf(answered(404)).advice, "/mcp"));
  CHECK(contains(refusalOf(answered(418)).words, "418"));
}

TEST_CASE("a server's own error is told from what a proxy says") {
  CHECK(holdsError(answered(
      503, R"({"jsonrpc":"2.0","id":null,"error":{"code":-31004,"message":"stopping"}})")));
  CHECK_FALSE(holdsError(answered(503)));
  CHECK_FALSE(holdsError(answered(503, "<html>no server is available</html>")));
  CHECK_FALSE(holdsError(answered(503, R"({"error":{"code":503,"message":"no upstream"}})")));
}

TEST_CASE("only what reads may be asked again when nobody knows what became of it") {
  CHECK(mayRepeat("tools/list"));
  CHECK(mayRepeat("resources/read"));
  CHECK_FALSE(mayRepeat("tools/call"));
  CHECK_FALSE(mayRepeat("vendor/method"));
}

TEST_CASE("fields hold plain text as it is, and code the rest") {
  CHECK(encodedField("list_skills") == "list_skills");
  CHECK(encodedField("two words") == "two words");
  CHECK(encodedField("") == "");
  CHECK(encodedField("Grüße") == "=?base64?R3LDvMOfZQ==?=");
  CHECK(encodedField("a\r\nX: y") == "=?base64?YQ0KWDogeQ==?=");
  CHECK(encodedField(" x") == "=?base64?IHg=?=");
  CHECK(encodedField("=?base64?eA==?=") == "=?base64?PT9iYXNlNjQ/ZUE9PT89?=");
}

TEST_CASE("Mcp-Name repeats the name or the URI, where there is one") {
  const HttpFields call = repeatedFields("2026-07-28", "tools/call", {{"name", "x"}});
  REQUIRE(call.size() == 3);
  CHECK(call[2] == std::pair<std::string, std::string>("Mcp-Name", "x"));
  CHECK(repeatedFields("2026-07-28", "resources/read", {{"uri", "skill://x"}})[2].second ==
        "skill://x");
  CHECK(repeatedFields("2026-07-28", "resources/read", {{"uri", 7}}).size() == 2);
  CHECK(repeatedFields("2026-07-28", "tools/list", {{"name", "x"}}).size() == 2);
}

TEST_CASE("lines of the client are told apart, and what is none is answered") {
  const auto request = readClientMessage(
      R"({"jsonrpc":"2.0","id":"a\"b","method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  REQUIRE(request.message);
  CHECK(request.message->id == R"("a\"b")");
  CHECK(request.message->version == "2026-07-28");
  CHECK(readClientMessage(R"({"jsonrpc":"2.0","method":"x"})").message->kind ==
        ClientMessage::Kind::Notification);
  CHECK(readClientMessage(R"({"jsonrpc":"2.0","id":1,"result":{}})").message->kind ==
        ClientMessage::Kind::Response);
  CHECK(contains(readClientMessage("{").refusal, "-32700"));
  CHECK(contains(readClientMessage("[]").refusal, "-32600"));
  CHECK(contains(readClientMessage(R"({"id":7})").refusal, R"("id":7)"));
  CHECK(contains(readClientMessage(R"({"id":{},"method":"x"})").refusal, R"("id":null)"));
}
