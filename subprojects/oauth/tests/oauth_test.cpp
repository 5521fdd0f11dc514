// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "oauth/access_token.hpp"
#include "oauth/client_grant.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

constexpr const char *serverUrl = "https://skills.example/mcp?key=secret-of-the-address";
constexpr const char *resourcePath =
    "https://skills.example/.well-known/oauth-protected-resource/mcp";
constexpr const char *metadataPath = "https://id.example/.well-known/oauth-authorization-server";

// An MCP server and its authorization server, without a network.
struct MadeProvider {
  std::map<std::string, Json> documents{
      {resourcePath,
       {{"resource", "https://skills.example/mcp"},
        {"authorization_servers", Json::array({"https://id.example"})}}},
      {metadataPath,
       {{"issuer", "https://id.example"},
        {"token_endpoint", "https://id.example/token"},
        {"token_endpoint_auth_methods_supported", Json::array({"client_secret_basic"})}}}};
  WebAnswer token{200, "", R"({"access_token": "t1", "token_type": "Bearer", "expires_in": 3600})"};
  std::vector<std::string> asked;
  std::vector<WebCall> calls; // to the token endpoint

  Web web() {
    return [this](const std::string &url, WebCall call) -> Result<WebAnswer> {
      asked.push_back(url);
      if (url == serverUrl) return WebAnswer{401, R"(Bearer scope="skills:read")", ""};
      if (call.method == "POST") {
        calls.push_back(std::move(call));
        return token;
      }
      const auto document = documents.find(url);
      if (document == documents.end()) return WebAnswer{404, "", "<html>"};
      return WebAnswer{200, "", document->second.dump()};
    };
  }
};

GrantSettings settings() {
  GrantSettings grant;
  grant.url = serverUrl;
  grant.clientId = "robot arm";
  grant.issuer = "https://id.example";
  grant.names = {"issuer", "token"};
  grant.secret = [] { return Result<std::string>("a secret/of=it"); };
  return grant;
}

std::string why(const Result<AccessToken> &token) { return token ? "" : token.failure().message; }

} // namespace

TEST_CASE("a parameter of a challenge is found among the others") {
  const std::string challenge =
      R"(Bearer realm="a, scope=\"no\"", resource_metadata="https://a.example/m", scope=read, x="")";
  CHECK(challengeParameter(challenge, "resource_metadata") == "https://a.example/m");
  CHECK(challengeParameter(challenge, "scope") == "read");
  CHECK(challengeParameter(challenge, "realm") == R"(a, scope="no")");
  CHECK(challengeParameter(challenge, "x").empty());
  CHECK(challengeParameter(challenge, "y").empty());
  CHECK(challengeParameter(R"(Bearer scope="open)", "scope") == "open");
  CHECK(challengeParameter(R"(Bearer scope="open\)", "scope") == "open\\");
  CHECK(challengeParameter("Bearer scope=", "scope").empty());
}

TEST_CASE("form fields survive the way there and back") {
  const FormFields fields{{"a", "x y&z=1+%/?#"}, {"b", ""}, {"c", "\xC3\xBC"}};
  CHECK(formDecoded(formEncoded(fields)) == fields);
  CHECK(valueOf(formDecoded("a=1&a=2&=3&b&c=%zz"), "a") == "1");
  CHECK(valueOf(formDecoded("state=a%00b"), "state").empty()); // no text contains a NUL
}

TEST_CASE("a JWT tells when it expires, nothing else does") {
  // The payload is {"exp": 1700000000}.
  const auto expiry = expiryOf("e30.eyJleHAiOiAxNzAwMDAwMDAwfQ.c2ln");
  REQUIRE(expiry);
  CHECK(std::chrono::system_clock::to_time_t(*expiry) == 1'700'000'000);
  for (const char *other : {"", "opaque", "a.b", "a.!!.c", "e30.e30.x", "..", "e30.W10.x",
                            "e30.eyJleHAiOiAiMTciIH0.x", "e30.eyJleHAiOiAxZTMwMCB9.x"}) {
    INFO(other);
    CHECK_FALSE(expiryOf(other));
  }
}

TEST_CASE("the next token is fetched before the end of this one, but not again and again") {
  using std::chrono::seconds;
  const auto now = std::chrono::system_clock::time_point(seconds(1'000'000));
  CHECK(renewalOf({"opaque", {}}, now) == std::chrono::system_clock::time_point::max());
  CHECK(renewalOf({"opaque", now + seconds(3'600)}, now) == now + seconds(3'540));
  CHECK(renewalOf({"opaque", now + seconds(50)}, now) == now + seconds(50));
  CHECK(renewalOf({"opaque", now}, now) == now + seconds(6));
}

TEST_CASE("a program signs in as itself at the authorization server that the MCP server names") {
  MadeProvider made;
  ClientGrant grant(settings());
  const Result<AccessToken> token = grant.token(made.web(), "");
  REQUIRE(token);
  CHECK(token->text == "t1");
  CHECK(token->expires > std::chrono::system_clock::now() + std::chrono::seconds(3'500));
  CHECK(made.asked == std::vector<std::string>{serverUrl, resourcePath, metadataPath,
                                               "https://id.example/token"});
  const FormFields form = formDecoded(made.calls.front().body);
  CHECK(valueOf(form, "grant_type") == "client_credentials");
  CHECK(valueOf(form, "scope") == "skills:read");
  CHECK(valueOf(form, "resource") == "https://skills.example/mcp");
  CHECK(valueOf(form, "client_secret").empty());
  CHECK(made.calls.front().fields.front() ==
        std::pair<std::string, std::string>("Authorization",
                                            "Basic cm9ib3QlMjBhcm06YSUyMHNlY3JldCUyRm9mJTNEaXQ="));
  made.asked.clear();
  REQUIRE(grant.token(made.web(), ""));
  CHECK(made.asked.size() == 1); // the endpoint is known
  made.asked.clear();
  REQUIRE(grant.token(made.web(), "t1"));
  CHECK(made.asked.size() == 4); // a refused token may mean another provider
}

TEST_CASE(
    "a given token endpoint needs no documents, and takes the secret in one of the two ways") {
  MadeProvider made;
  GrantSettings given = settings();
  given.issuer.clear();
  given.tokenEndpoint = "https://id.example/token?tenant=1";
  ClientGrant grant(given);
  REQUIRE(grant.token(made.web(), ""));
  CHECK(made.asked == std::vector<std::string>{given.tokenEndpoint});
  CHECK(valueOf(formDecoded(made.calls.front().body), "resource") == "https://skills.example/mcp");
  made.token = {401, "", R"({"error": "invalid_client"})"};
  made.calls.clear();
  CHECK(why(grant.token(made.web(), "")) ==
        "the authorization server https://id.example/token refuses: invalid_client");
  REQUIRE(made.calls.size() == 2);
  CHECK(valueOf(formDecoded(made.calls.back().body), "client_secret") == "a secret/of=it");
}

TEST_CASE("a refusal of a token says why, and holds no secret") {
  MadeProvider made;
  ClientGrant grant(settings());
  const std::string server = "the authorization server https://id.example";
  const std::vector<std::pair<WebAnswer, std::string>> wrong{
      {{401, "", "<html>no</html>"}, server + " refuses: HTTP status 401"},
      {{302, "", ""}, server + " refuses: HTTP status 302, and no redirect is followed"},
      {{200, "", "<html>welcome</html>"}, server + " sent no access token"},
      {{200, "", R"({"access_token": "two words"})"}, server + " sent no access token"},
      {{200, "", R"({"access_token": "t", "token_type": "DPoP"})"},
       server + " gave a token of the type \"DPoP\", and only Bearer tokens can be used: have it "
                "give those to the client robot arm"},
      {{503, "", ""}, server + ": HTTP status 503"},
      {{400, "", R"({"error": "invalid_scope", "error_description": "not a secret/of=it"})"},
       server + " refuses: invalid_scope: not ***masked***"}};
  for (const auto &[answer, words] : wrong) {
    INFO(words);
    made.token = answer;
    const Result<AccessToken> token = grant.token(made.web(), "");
    CHECK(why(token) == words);
    if (!token)
      CHECK(token.failure().fault == (answer.status == 503 ? Fault::Unavailable : Fault::Denied));
  }
}

TEST_CASE("the secret goes to the named issuer alone") {
  MadeProvider made;
  made.documents[resourcePath]["authorization_servers"] = Json::array({"https://thief.example"});
  ClientGrant grant(settings());
  CHECK(why(grant.token(made.web(), "")) ==
        "the MCP server names the authorization server \"https://thief.example\", and issuer names "
        "https://id.example: the client secret is not sent. If the server is right, give its "
        "authorization server to issuer");
  made.documents[resourcePath]["resource"] = "https://other.example/mcp";
  CHECK(why(grant.token(made.web(), "")) ==
        "the server says that it is \"https://other.example/mcp\" and not "
        "https://skills.example/mcp: connect to that URL");
  CHECK(made.calls.empty());
}
