// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "lent.hpp"
#include "oauth/authenticator.hpp"
#include "oauth/verdict.hpp"

using namespace skillhost::oauth;
using namespace auth_test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

// Returns "ok", or the status and the reason.
std::string answer(long status, const std::string &body, Form form = Form::Introspection) {
  try {
    static_cast<void>(claimsOf({status, body}, form, "https://id.example.org/introspect?x=y"));
    return "ok";
  } catch (const skh::Error &why) {
    return (why.status() == SKH_DENIED ? "denied: " : "unavailable: ") + std::string(why.what());
  }
}

std::string refusal(const json &configuration) {
  const LentHost host(configuration.dump());
  try {
    const skillhost::oauth::Authenticator auth(host.host(), LentCall().call());
    return "ok";
  } catch (const skh::Error &why) {
    return why.what();
  }
}

} // namespace

TEST_CASE("what a provider's answer means") {
  CHECK(answer(200, R"({"active":true})") == "ok");
  CHECK(answer(200, R"({"active":true,"token_type":"bearer"})") == "ok");
  CHECK_THAT(answer(200, R"({"active":false,"sub":"ada"})"), Contains("denied: "));
  CHECK_THAT(answer(200, R"({"active":true,"token_type":"DPoP"})"), Contains("denied: "));
  CHECK_THAT(answer(200, R"({"active":"true"})"),
             Contains("unavailable: https://id.example.org/introspect does not say"));
  CHECK_THAT(answer(200, R"({"active":false,"active":true})"), Contains("unavailable: "));
  CHECK_THAT(answer(200, "<html>"), Contains("unavailable: "));
  CHECK_THAT(answer(400, R"({"error":"unsupported_token_type"})"),
             Contains("denied: ") && Contains("plugin jwt"));
  CHECK_THAT(answer(400, R"({"error":"invalid_request"})"), Contains("denied: "));
  CHECK_THAT(answer(400, R"({"error":"invalid_client"})"),
             Contains("unavailable: ") && Contains("client_secret"));
  CHECK_THAT(answer(401, ""), Contains("unavailable: ") && Contains("client_secret"));
  CHECK_THAT(answer(403, ""), Contains("unavailable: "));
  for (const long status : {204L, 302L, 404L, 429L, 500L, 503L})
    CHECK_THAT(answer(status, R"({"active":true})"), Contains("unavailable: "));
}

TEST_CASE("what the other form of answer means") {
  const auto info = [](long status, const std::string &body) {
    return answer(status, body, Form::TokenInfo);
  };
  CHECK(info(200, R"({"aud":"c","exp":"1735246200"})") == "ok");
  CHECK(info(200, R"({"active":true})") == "ok");
  CHECK_THAT(info(200, R"({"active":false})"), Contains("denied: "));
  CHECK_THAT(info(200, R"({"error":"invalid_token"})"), Contains("denied: "));
  CHECK_THAT(info(400, R"({"error":"invalid_token"})"), Contains("denied: "));
  CHECK_THAT(info(401, ""), Contains("denied: "));
  CHECK_THAT(info(503, ""), Contains("unavailable: "));
  CHECK_THAT(info(200, "no"), Contains("unavailable: "));
}

TEST_CASE("what is nothing to bother a provider with") {
  CHECK(couldBeToken("ya29.a0AfH6SMBx-_~+/=="));
  CHECK_FALSE(couldBeToken(""));
  CHECK_FALSE(couldBeToken("==="));
  CHECK_FALSE(couldBeToken("a b"));
  CHECK_FALSE(couldBeToken("a\r\nX: y"));
  CHECK_FALSE(couldBeToken(std::string(16'385, 'a')));
}

TEST_CASE("refused settings of oauth, which never show the secret") {
  const json good{
      {"issuer", "https://id.example.org"}, {"client_id", "c"}, {"client_secret", "canary-secret"}};
  CHECK(refusal(good) == "ok");
  const auto changed = [&](const json &patch) {
    json configuration = good;
    configuration.merge_patch(patch);
    const std::string why = refusal(configuration);
    CHECK_THAT(why, !Contains("canary-secret"));
    return why;
  };
  CHECK_THAT(changed({{"issuer", "http://id.example.org"}}), Contains("issuer: must be an https"));
  CHECK_THAT(changed({{"issuer", nullptr}}), Contains("issuer: is required"));
  CHECK_THAT(changed({{"client_id", nullptr}}), Contains("client_id, client_secret"));
  CHECK_THAT(changed({{"client_auth", "none"}}), Contains("client_auth"));
  CHECK_THAT(changed({{"cache_seconds", 301}}), Contains("cache_seconds"));
  CHECK_THAT(changed({{"ca_file", "relative"}}), Contains("ca_file"));
  CHECK_THAT(changed({{"tokeninfo_url", "https://a/"}, {"introspection_url", "https://b/"}}),
             Contains("tokeninfo_url"));
}
