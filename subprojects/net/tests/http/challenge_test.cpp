// SPDX-License-Identifier: Apache-2.0
// Tests WWW-Authenticate, and the metadata document that it refers to.
#include "catch2.hpp"
#include "ground/json.hpp"
#include "net/challenge.hpp"
#include "net/resource_metadata.hpp"

#include <nlohmann/json.hpp>

#include <vector>

using namespace skillhost;

TEST_CASE("a challenge names what is there, in order") {
  CHECK(challengeText({}) == "Bearer");
  const std::string url = "https://skills.example/.well-known/oauth-protected-resource/mcp";
  CHECK(challengeText({.resourceMetadata = url}) == "Bearer resource_metadata=\"" + url + "\"");
  const std::vector<std::string> scopes{"skills:read", "skills:manage"};
  CHECK(challengeText({url, "insufficient_scope", "more is needed", scopes}) ==
        "Bearer resource_metadata=\"" + url +
            "\", error=\"insufficient_scope\", error_description=\"more is needed\", "
            "scope=\"skills:read skills:manage\"");
}

TEST_CASE("nothing that is quoted ends its quotes or the header") {
  const std::vector<std::string> scopes{"a\"b", "c\r\nX: y"};
  const std::string text = challengeText(
      {"https://x/\"\r\nSet-Cookie: a=b", "e\\", "a \"quoted\" word\x7F\xC3\xA9", scopes});
  CHECK(text == "Bearer resource_metadata=\"https://x/\\\"  Set-Cookie: a=b\", error=\"e'\", "
                "error_description=\"a 'quoted' word   \", scope=\"a'b c  X: y\"");
}

TEST_CASE("the metadata are the provider's, with the resource and the scopes of this server") {
  const std::vector<std::string> scopes{"skills:read", "skills:manage"};
  const Result<std::string> text = resourceMetadata(
      R"({"resource":"https://other.example","authorization_servers":["https://issuer.example"],
          "scopes_supported":["skills:read","mail"],"bearer_methods_supported":["query"],
          "resource_name":"Skills"})",
      "https://skills.example/mcp", scopes);
  REQUIRE(text);
  const Json document = Json::parse(*text);
  CHECK(document["resource"] == "https://skills.example/mcp");
  CHECK(document["authorization_servers"] == Json::array({"https://issuer.example"}));
  CHECK(document["scopes_supported"] == Json::array({"skills:read", "mail", "skills:manage"}));
  CHECK(document["bearer_methods_supported"] == Json::array({"header"}));
  CHECK(document["resource_name"] == "Skills");
}

TEST_CASE("a description that is none is refused") {
  for (const std::string &text :
       {std::string("[]"), std::string("{"), std::string(""), std::string(R"({"a":1,"a":2})"),
        std::string(R"({"authorization_servers":"https://issuer.example"})"),
        std::string(R"({"scopes_supported":[1]})"),
        R"({"a":")" + std::string(longestDescription, 'x') + R"("})"}) {
    INFO(text.substr(0, 60));
    CHECK(!resourceMetadata(text, "https://skills.example", {}));
  }
  CHECK(resourceMetadata("{}", "https://skills.example", {}));
}
