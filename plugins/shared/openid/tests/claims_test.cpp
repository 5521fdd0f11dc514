// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "openid/claims.hpp"
#include "openid/principal.hpp"

#include <skillhost/plugin.hpp>

using namespace skillhost::openid;
using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("what a provider need not say, and what it must not") {
  ClaimRules rules;
  rules.issuer = "https://id.example.org";
  rules.issuerRequired = rules.expiryRequired = rules.audienceRequired = false;
  rules.audiences = {"api"};
  CHECK_NOTHROW(checkClaims(json::object(), rules, "here", 1'000));
  CHECK_NOTHROW(checkClaims({{"aud", "api"}}, rules, "here", 1'000));
  CHECK_THROWS_WITH(checkClaims({{"aud", "other"}}, rules, "here", 1'000), Contains("audience"));
  CHECK_THROWS_WITH(checkClaims({{"aud", 7}}, rules, "here", 1'000), Contains("audience"));
  CHECK_THROWS_WITH(checkClaims({{"iss", "x"}}, rules, "here", 1'000), Contains("issuer"));
  CHECK_THROWS_WITH(checkClaims({{"exp", 940}}, rules, "here", 1'000), Contains("expired"));
  CHECK_NOTHROW(checkClaims({{"exp", "941"}}, rules, "here", 1'000));
  CHECK_THROWS_WITH(checkClaims({{"exp", "9 41"}}, rules, "here", 1'000), Contains("no time"));
  CHECK_THROWS_WITH(checkClaims({{"exp", -1}}, rules, "here", 1'000), Contains("no time"));
  CHECK_THROWS_WITH(checkClaims({{"nbf", true}}, rules, "here", 1'000), Contains("no time"));
}

TEST_CASE("one server has one audience, however its address is written") {
  ClaimRules rules;
  rules.issuerRequired = rules.expiryRequired = false;
  rules.audiences = {"https://Old.example.org:443/", "urn:app/"};
  const char *here = "https://skills.example.org/mcp";
  for (const char *same : {"https://skills.example.org/mcp", "https://skills.example.org/mcp/",
                           "https://skills.example.org:443/mcp", "HTTPS://Skills.Example.ORG/mcp",
                           "https://old.example.org", "https://old.example.org/", "urn:app/"}) {
    INFO(same);
    CHECK_NOTHROW(checkClaims({{"aud", same}}, rules, here, 1'000));
  }
  for (const char *other : {"https://skills.example.org", "https://skills.example.org/MCP",
                            "https://skills.example.org:8443/mcp", "http://skills.example.org/mcp",
                            "https://skills.example.org:80/mcp", "https://skills.example.org/mcp//",
                            "https://skills.example.org/mcp?x", "https://skills.example.org/mcp/?",
                            "urn:app", "", "https://user@skills.example.org/mcp"}) {
    INFO(other);
    CHECK_THROWS_WITH(checkClaims({{"aud", other}}, rules, here, 1'000),
                      Contains("its aud is \"" + std::string(other) + "\", accepted is \"" + here +
                               "\", \"https://Old.example.org:443/\""));
  }
  // A text by a stranger is shortened.
  CHECK_THROWS_WITH(checkClaims({{"aud", std::string(5'000, 'a')}}, rules, here, 1'000),
                    Contains("aaa…") && !Contains(std::string(201, 'a')));
}

TEST_CASE("who it is, by what the provider says") {
  PrincipalRules rules;
  rules.issuer = "https://id.example.org";
  const auto service = principalOf({{"client_id", "svc"}, {"scope", " a  b a"}}, rules, 1'000);
  CHECK(service.subject == "client_id:svc");
  CHECK(service.issuer == "https://id.example.org");
  CHECK(principalOf({{"sub", "a"}, {"iss", "https://id.example.org/"}}, rules, 1'000).issuer ==
        "https://id.example.org"); // the spelling that rules of visibility use
  CHECK(service.scopes == std::vector<std::string>{"a", "b"});
  CHECK(service.expires_at == 0); // so the host caches nothing
  CHECK(service.cache_seconds == 0);
  CHECK(principalOf({{"sub", "a"}, {"exp", 1'310}}, rules, 1'000).cache_seconds == 10);
  CHECK(principalOf({{"sub", "a"}, {"exp", 9'999}}, rules, 1'000).cache_seconds == 300);
  CHECK_THROWS_WITH(principalOf({{"sub", 7}}, rules, 1'000), Contains("names nobody"));
  // A client is never taken for a user, nor the reverse.
  CHECK(principalOf({{"sub", "svc"}}, rules, 1'000).subject == "svc");
  CHECK_THROWS_WITH(principalOf({{"sub", "client_id:svc"}}, rules, 1'000),
                    Contains("stands for clients"));
  PrincipalRules lenient;
  lenient.nobody = "our-client";
  // Google answers like this, without a subject and an audience.
  const auto unnamed = principalOf({{"active", true},
                                    {"scope", "openid email profile"},
                                    {"exp", 1'700},
                                    {"iss", "https://accounts.google.com"}},
                                   lenient, 1'000);
  CHECK(unnamed.subject == "client_id:our-client");
  CHECK(unnamed.issuer == "https://accounts.google.com");
  CHECK(unnamed.scopes.size() == 3);
  CHECK_THROWS_WITH(principalOf({{"sub", std::string(1'025, 'a')}}, rules, 1'000),
                    Contains("too long"));
  rules.claims = {"large"};
  CHECK_THROWS_WITH(principalOf({{"sub", "a"}, {"large", std::string(17'000, 'a')}}, rules, 1'000),
                    Contains("16 KiB"));
  std::string scopes;
  for (int i = 0; i < 257; ++i) scopes += " s" + std::to_string(i);
  CHECK_THROWS_WITH(principalOf({{"sub", "a"}, {"scope", scopes}}, rules, 1'000),
                    Contains("256 scopes"));
}

TEST_CASE("a token with a malformed scope is refused by the plugin, not blamed on it") {
  const PrincipalRules rules;
  const auto status = [&](const json &claims) -> skh_status {
    try {
      principalOf(claims, rules, 1'000);
      return SKH_OK;
    } catch (const skh::Error &error) {
      return error.status();
    }
  };
  CHECK(status({{"sub", "a"}, {"scope", "skills:read hr\n"}}) == SKH_DENIED);
  CHECK(status({{"sub", "a"}, {"scope", "a\tb"}}) == SKH_DENIED);
  CHECK(status({{"sub", "a"}, {"scope", "\"a\""}}) == SKH_DENIED);
  CHECK(status({{"sub", "a"}, {"scope", "a\\b"}}) == SKH_DENIED);
  CHECK(status({{"sub", "a"}, {"scope", "f\u00fcr"}}) == SKH_DENIED);
  CHECK(status({{"sub", "a"}, {"scp", {"a", "b\x7f"}}}) == SKH_DENIED);
  CHECK(status({{"sub", "a"}, {"scope", std::string(257, 'a')}}) == SKH_DENIED);
  CHECK(status({{"sub", "a"}, {"scope", "! #[]~ " + std::string(256, 'a')}}) == SKH_OK);
}
