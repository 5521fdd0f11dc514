// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/message_headers.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;

TEST_CASE("a coded field is undone") {
  CHECK(decodedField("plain") == "plain");
  CHECK(decodedField("=?base64?Z3LDvMOfZQ==?=") == "grüße");
  CHECK(decodedField("=?base64?=") == "=?base64?="); // too short to be one
  CHECK_FALSE(decodedField("=?base64?Z?="));
  CHECK_FALSE(decodedField("=?base64?/w==?=")); // no UTF-8
}

TEST_CASE("a coded field stands for the text in it, and not for itself") {
  Message message;
  message.method = "tools/call";
  message.params = {{"_meta",
                     {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                      {"io.modelcontextprotocol/clientCapabilities", Json::object()}}},
                    {"name", "grüße"}};
  HttpRequest request;
  request.fields = {{"mcp-protocol-version", "2026-07-28"},
                    {"mcp-method", "tools/call"},
                    {"mcp-name", "=?base64?Z3LDvMOfZQ==?="}};
  const auto agrees = [&] {
    return !findHeaderMismatch(request, message, familyOf(request, message));
  };
  CHECK(agrees());
  message.params["name"] = "=?base64?Z3LDvMOfZQ==?=";
  CHECK_FALSE(agrees());
  message.params["name"] = "plain";
  CHECK_FALSE(agrees());
  request.fields.back().value = "plain";
  CHECK(agrees());
}

TEST_CASE("Accept is read as the standard has it") {
  for (const char *field :
       {"application/json", "text/html, Application/JSON;q=0.5", "*/*", "application/*",
        "text/plain;q=0 , */* ;q=0.1", "application/json; q=1.0", "Application/*"}) {
    CAPTURE(field);
    CHECK(accepts(field, "application/json"));
  }
  for (const char *field : {"", "text/html", "text/*", "application/json5", "x-application/json",
                            "application/", "/*", "application/json/*", "application/json;q=0",
                            "application/json ; q=0.00", "application/json;Q=0"}) {
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
    const auto wrong = findHeaderMismatch(request, message, familyOf(request, message));
    return wrong ? wrong->error.code : 0;
  };
  CHECK(code() == unsupportedVersion);
  request.fields.push_back({"mcp-protocol-version", "2026-07-28"});
  CHECK(code() == headerMismatch);
  request.fields.back().value = "v999";
  CHECK(code() == unsupportedVersion);
}
