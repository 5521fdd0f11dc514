// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "ground/base64.hpp"
#include "ground/time_reading.hpp"
#include "jwt/authenticator.hpp"
#include "lent.hpp"
#include "signer.hpp"

#include <memory>

using namespace auth_test;
using Catch::Matchers::Contains;
using nlohmann::json;
using skillhost::encodeBase64Url;
using skillhost::jwt::Authenticator;
using skillhost::jwt::KeySet;

namespace {

// An instance that trusts the keys in a file.
class Trusting {
public:
  explicit Trusting(const std::string &jwks, json more = json::object()) {
    more["issuer"] = issuer;
    more["jwks_file"] = folder_.write("jwks.json", jwks);
    host_ = std::make_unique<LentHost>(more.dump());
    auth_ = std::make_unique<Authenticator>(host_->host(), LentCall().call());
  }
  std::string operator()(const std::string &token, const std::string &where = resource) {
    return verdict(*auth_, token, where);
  }
  Authenticator &auth() { return *auth_; }

private:
  TemporaryFolder folder_;
  std::unique_ptr<LentHost> host_;
  std::unique_ptr<Authenticator> auth_;
};

// Created once, because generating an RSA key takes a while.
const Signer &rsa() {
  static const Signer signer("RS256");
  return signer;
}

std::int64_t now() { return skillhost::secondsNow(); }

} // namespace

TEST_CASE("every algorithm that needs no shared secret") {
  for (const char *name :
       {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}) {
    CAPTURE(name);
    const Signer signer(name);
    Trusting ask(signer.jwks());
    std::string token = signer.token();
    CHECK(ask(token) == "ok");
    char &last = token[token.size() - 10];
    last = last == 'A' ? 'B' : 'A';
    CHECK_THAT(ask(token), Contains("denied: the token's signature"));
    const std::string other = signer.token({{"sub", "eve"}});
    const std::string good = signer.token();
    CHECK_THAT(ask(other.substr(0, other.rfind('.')) + good.substr(good.rfind('.'))),
               Contains("denied: the token's signature"));
  }
}

TEST_CASE("who it is") {
  Trusting ask(rsa().jwks());
  const LentCall call;
  const auto who = ask.auth().validate(
      call.call(),
      {"bearer", rsa().token({{"scp", {"extra", "skills:read"}}, {"client_id", "cli"}}), resource,
       ""});
  CHECK(who.subject == "ada");
  CHECK(who.issuer == issuer);
  CHECK(who.scopes == std::vector<std::string>{"skills:read", "skills:manage", "extra"});
  CHECK(json::parse(who.claims) == json{{"client_id", "cli"}});
  CHECK(who.cache_seconds == 300);
  CHECK(who.expires_at > now() + 3'600);
  const auto brief = ask.auth().validate(
      call.call(), {"bearer", rsa().token({{"exp", now() + 200}}), resource, ""});
  CHECK(brief.cache_seconds == 0);
}

TEST_CASE("claims that do not let in") {
  Trusting ask(rsa().jwks());
  CHECK_THAT(ask(rsa().token({{"exp", now() - 61}})), Contains("denied: the token has expired"));
  CHECK(ask(rsa().token({{"exp", now() - 30}})) == "ok"); // clocks may differ
  CHECK_THAT(ask(rsa().token({{"exp", nullptr}})), Contains("denied: the token has no end"));
  CHECK_THAT(ask(rsa().token({{"exp", "never"}})), Contains("denied: the token's exp is no time"));
  CHECK_THAT(ask(rsa().token({{"exp", 1e300}})), Contains("denied: the token's exp is no time"));
  CHECK_THAT(ask(rsa().token({{"nbf", now() + 90}})),
             Contains("denied: the token is not valid yet"));
  CHECK_THAT(ask(rsa().token({{"iat", now() + 90}})),
             Contains("denied: the token is not valid yet"));
  // A slash after a host without a path does not count.
  CHECK(ask(rsa().token({{"iss", "https://id.example.org/"}})) == "ok");
  for (const char *other : {"https://id.example.org/x", "https://ID.example.org", "id.example.org"})
    CHECK_THAT(ask(rsa().token({{"iss", other}})),
               Contains("another issuer: its iss is \"" + std::string(other) +
                        "\", auth.config.issuer is \"https://id.example.org\""));
  CHECK_THAT(ask(rsa().token({{"iss", nullptr}})), Contains("denied: the token names no issuer"));
  CHECK_THAT(ask(rsa().token({{"aud", "https://other.example.org/mcp"}})),
             Contains("denied: the token is for another audience: its aud is "
                      "\"https://other.example.org/mcp\", accepted is \"" +
                      std::string(resource) + "\": set http.public_url"));
  CHECK_THAT(ask(rsa().token({{"aud", json::array()}})), Contains("another audience"));
  CHECK_THAT(ask(rsa().token({{"aud", nullptr}})), Contains("denied: the token names no audience"));
  CHECK(ask(rsa().token({{"aud", {"https://a.example.org", resource}}})) == "ok");
  CHECK_THAT(ask(rsa().token(), ""), Contains("another audience")); // the host names no resource
  CHECK_THAT(ask(rsa().token({{"aud", ""}}), ""), Contains("another audience"));
  CHECK_THAT(ask(rsa().token({{"sub", nullptr}})), Contains("denied: the token names nobody"));
  CHECK_THAT(ask(rsa().token({{"sub", "a\nb"}})), Contains("control characters"));
  CHECK_THAT(ask(rsa().token({{"cnf", {{"jkt", "x"}}}})), Contains("denied: the token is bound"));
}

TEST_CASE("headers that do not let in") {
  Trusting ask(rsa().jwks());
  const json changes = json::object();
  CHECK_THAT(ask(rsa().token(changes, {{"alg", "none"}})), Contains("algorithm"));
  CHECK_THAT(ask(rsa().token(changes, {{"alg", "HS256"}})), Contains("algorithm"));
  CHECK_THAT(ask(rsa().token(changes, {{"alg", "rs256"}})), Contains("algorithm"));
  CHECK_THAT(ask(rsa().token(changes, {{"alg", nullptr}})), Contains("names no algorithm"));
  // The key is for RS256, and there is no key on a curve.
  CHECK_THAT(ask(rsa().token(changes, {{"alg", "PS256"}})), Contains("no such key"));
  CHECK_THAT(ask(rsa().token(changes, {{"alg", "ES256"}})), Contains("no such key"));
  CHECK_THAT(ask(rsa().token(changes, {{"kid", "k2"}})), Contains("no such key"));
  CHECK_THAT(ask(rsa().token(changes, {{"kid", 7}})), Contains("key id"));
  CHECK(ask(rsa().token(changes, {{"kid", nullptr}})) == "ok"); // the only key that fits
  CHECK_THAT(ask(rsa().token(changes, {{"crit", {"b64"}}, {"b64", false}})), Contains("critical"));
  CHECK_THAT(ask(rsa().token(changes, {{"typ", "dpop+jwt"}})), Contains("of a type"));
  CHECK(ask(rsa().token(changes, {{"typ", "application/AT+JWT"}})) == "ok");
  CHECK(ask(rsa().token(changes, {{"typ", nullptr}})) == "ok");
  Trusting strict(rsa().jwks(), {{"types", {"at+jwt"}}, {"algorithms", {"ES256"}}});
  CHECK_THAT(strict(rsa().token()), Contains("algorithm"));
  Trusting typed(rsa().jwks(), {{"types", {"at+jwt"}}});
  CHECK_THAT(typed(rsa().token(changes, {{"typ", "JWT"}})), Contains("of a type"));
}

TEST_CASE("what is hardly a token") {
  Trusting ask(rsa().jwks());
  const std::string good = rsa().token();
  const std::string head = good.substr(0, good.find('.'));
  const std::string signature = good.substr(good.rfind('.') + 1);
  const std::string body =
      good.substr(head.size() + 1, good.size() - head.size() - signature.size() - 2);
  CHECK_THAT(ask(""), Contains("denied: the token is no signed JWT"));
  CHECK_THAT(ask("..."), Contains("denied: the token is no signed JWT"));
  CHECK_THAT(ask(head + '.' + body), Contains("no signed JWT"));
  CHECK_THAT(ask(head + '.' + body + '.'), Contains("no signature"));
  CHECK_THAT(ask(good + '='), Contains("no signature"));
  CHECK_THAT(ask(good + ".x"), Contains("no signed JWT"));
  CHECK_THAT(ask(good.substr(0, good.size() - 22)), Contains("signature is wrong"));
  CHECK_THAT(ask(std::string(20'000, 'a')), Contains("longer than 16 KiB"));
  CHECK_THAT(ask("{}." + body + '.' + signature), Contains("header cannot be read"));
  CHECK_THAT(ask(rsa().sign("[]", "{}")), Contains("header cannot be read"));
  CHECK_THAT(ask(rsa().sign(R"({"alg":"RS256","alg":"RS256","kid":"k1"})", "{}")),
             Contains("header cannot be read"));
  CHECK_THAT(ask(rsa().sign(R"({"alg":"RS256","kid":"k1"})", "[]")), Contains("claims cannot"));
  CHECK_THAT(ask(rsa().sign(R"({"alg":"RS256","kid":"k1"})", R"({"sub":"ada","sub":"eve"})")),
             Contains("claims cannot be read"));
  CHECK_THAT(ask(rsa().sign(R"({"alg":"RS256","kid":"k1"})", "{\"sub\":\"\xff\"}")),
             Contains("claims cannot be read"));
}

TEST_CASE("a public key is no shared secret") {
  Trusting ask(rsa().jwks());
  const std::string text =
      encodeBase64Url(R"({"alg":"HS256","kid":"k1"})") + '.' + encodeBase64Url(R"({"sub":"eve"})");
  CHECK_THAT(ask(text + '.' + encodeBase64Url(std::string(32, 'x'))), Contains("algorithm"));
}

TEST_CASE("keys that are left out") {
  const auto usable = [](const json &jwk) {
    return KeySet::read(json{{"keys", {jwk}}}.dump()).size();
  };
  const json good = rsa().jwk();
  CHECK(usable(good) == 1);
  const auto changed = [&](const json &patch) {
    json jwk = good;
    jwk.merge_patch(patch);
    return jwk;
  };
  CHECK(usable(changed({{"use", "enc"}})) == 0);
  CHECK(usable(changed({{"key_ops", {"sign"}}})) == 0);
  CHECK(usable(changed({{"key_ops", {"verify"}}})) == 1);
  CHECK(usable(changed({{"d", "AQAB"}})) == 0); // a private key
  CHECK(usable(changed({{"alg", "HS256"}})) == 0);
  CHECK(usable(changed({{"alg", "ES256"}})) == 0);
  CHECK(usable(changed({{"kid", 1}})) == 0);
  // With the exponent 1, every text is its own signature.
  CHECK(usable(changed({{"e", "AQ"}})) == 0);
  CHECK(usable(changed({{"e", "Ag"}})) == 0);
  CHECK(usable(changed({{"n", "AQAB"}})) == 0);
  CHECK(usable(Signer("RS256", "weak", 1'024).jwk()) == 0);
  CHECK(usable({{"kty", "oct"}, {"k", "c2VjcmV0"}, {"alg", "HS256"}}) == 0);
  json curve = Signer("ES256").jwk();
  CHECK(usable(curve) == 1);
  curve["y"] = curve["x"]; // not on the curve
  CHECK(usable(curve) == 0);
  json edwards = Signer("EdDSA").jwk();
  edwards["x"] = "AAAA";
  CHECK(usable(edwards) == 0);
}

TEST_CASE("sets of keys that are none") {
  CHECK_THROWS_WITH(KeySet::read("[]"), Contains("no JSON object"));
  CHECK_THROWS_WITH(KeySet::read(R"({"keys":[],"keys":[]})"), Contains("a name twice"));
  CHECK_THROWS_WITH(KeySet::read("{}"), Contains("no JWK set"));
  CHECK_THROWS_WITH(KeySet::read(std::string((1U << 20U) + 1, ' ')), Contains("1 MiB"));
  json many = json::array();
  for (int i = 0; i < 101; ++i) many.push_back(json::object());
  CHECK_THROWS_WITH(KeySet::read(json{{"keys", many}}.dump()), Contains("100 keys"));
  CHECK(KeySet::read(R"({"keys":[1,null,{"kty":7}]})").leftOut() == 3);
}

TEST_CASE("two keys that cannot be told apart are none") {
  const Signer first("ES256", "same");
  const Signer second("ES256", "same");
  Trusting ask(json{{"keys", {first.jwk(), second.jwk()}}}.dump());
  CHECK_THAT(ask(first.token()), Contains("no such key"));
}
