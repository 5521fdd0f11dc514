// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/base64.hpp"
#include "http/allowed_origin.hpp"
#include "message_headers.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("base64 is read as it is written, and nothing else is") {
  for (const std::string text : {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\xff\x00\x01"})
    CHECK(decodeBase64(encodeBase64(text)) == text);
  for (const char *wrong : {"Zg", "Zg=", "Zh==", "Zm9=", "Zm9v=", "=",
                            "====", "Z===", "Zg==Zg==", "Zm 9v", "Zm9v\n", "Zm-_"})
    CHECK_FALSE(decodeBase64(wrong));
}

TEST_CASE("a coded field is undone") {
  CHECK(decodedField("plain") == "plain");
  CHECK(decodedField("=?base64?Z3LDvMOfZQ==?=") == "grüße");
  CHECK(decodedField("=?base64?=") == "=?base64?="); // too short to be one
  CHECK_FALSE(decodedField("=?base64?Z?="));
  CHECK_FALSE(decodedField("=?base64?/w==?=")); // no UTF-8
}

TEST_CASE("Accept is read as the standard has it") {
  for (const char *field :
       {"application/json", "text/html, Application/JSON;q=0.5", "*/*", "application/*",
        "text/plain;q=0 , */* ;q=0.1", "application/json; q=1.0"}) {
    CAPTURE(field);
    CHECK(accepts(field, "application/json"));
  }
  for (const char *field :
       {"", "text/html", "text/*", "application/json5", "x-application/json",
        "application/json;q=0", "application/json ; q=0.00", "application/json;Q=0"}) {
    CAPTURE(field);
    CHECK_FALSE(accepts(field, "application/json"));
  }
}

TEST_CASE("two versions that differ are a mismatch, known or not") {
  Message message;
  message.method = "server/discover";
  message.params = {{"_meta", {{"io.modelcontextprotocol/protocolVersion", "v999"}}}};
  HttpRequest request;
  const auto code = [&] {
    const auto wrong = disagreement(request, message, familyOf(request, message));
    return wrong ? wrong->error.code : 0;
  };
  CHECK(code() == unsupportedVersion);
  request.fields.push_back({"mcp-protocol-version", "2026-07-28"});
  CHECK(code() == headerMismatch);
  request.fields.back().value = "v999";
  CHECK(code() == unsupportedVersion);
}

namespace {

std::string refused(const char *host, const char *origin, const HttpRules &rules) {
  HttpRequest request;
  if (host != nullptr) request.fields.push_back({"host", host});
  if (origin != nullptr) request.fields.push_back({"origin", origin});
  return foreignOrigin(request, rules);
}

} // namespace

TEST_CASE("Host and Origin must be those of this server") {
  HttpRules rules;
  rules.hosts = {"localhost", "127.0.0.1", "[::1]"};
  rules.origins = {"https://tool.example"};
  for (const char *host : {"localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]", "[::1]:8080"})
    CHECK(refused(host, nullptr, rules).empty());
  for (const char *host : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                           "localhost@evil.example", "[::1", "[::2]:80"})
    CHECK_FALSE(refused(host, nullptr, rules).empty());
  CHECK_FALSE(refused(nullptr, nullptr, rules).empty());
  for (const char *origin :
       {"http://localhost:6274", "https://127.0.0.1", "https://tool.example", "http://[::1]:1"})
    CHECK(refused("localhost", origin, rules).empty());
  for (const char *origin : {"null", "", "https://evil.example", "https://tool.example.evil",
                             "https://tool.example:8443", "localhost", "http://localhost/x",
                             "http://localhost:80/x", "http://u@localhost", "http://localhost@x",
                             "http://localhost:x", "http://localhost:80:1", "http://localhost?x"})
    CHECK_FALSE(refused("localhost", origin, rules).empty());
}

TEST_CASE("without a list of hosts only a page of a numbered host may ask") {
  const HttpRules rules;
  CHECK(refused("skills.example:8080", nullptr, rules).empty());
  CHECK(refused("192.0.2.7:8080", "http://192.0.2.7:8080", rules).empty());
  CHECK(refused("[2001:db8::1]:8080", "http://[2001:db8::1]:8080", rules).empty());
  // The owner of a page may have pointed a name at this machine.
  CHECK_FALSE(refused("skills.example:8080", "http://skills.example:8080", rules).empty());
  CHECK_FALSE(refused("skills.example:8080", "http://evil.example", rules).empty());
  HttpRules all;
  all.origins = {"*"};
  CHECK(refused("skills.example", "http://evil.example", all).empty());
}
