// SPDX-License-Identifier: Apache-2.0
// Tests the settings of a GitHub App, and the assertions that it signs.
#include "catch2.hpp"

#include "github/app_token.hpp"
#include "github/settings.hpp"

#include "ground/base64.hpp"
#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>

using namespace skillhost;
using namespace skillhost::github;

namespace {

using Key = std::shared_ptr<EVP_PKEY>;

Key rsaKey(unsigned bits) { return {EVP_RSA_gen(bits), &EVP_PKEY_free}; }

const Key &usualKey() {
  static const Key key = rsaKey(2'048);
  return key;
}

std::string pemOf(const Key &key, const char *passphrase = nullptr) {
  const std::unique_ptr<BIO, int (*)(BIO *)> memory(BIO_new(BIO_s_mem()), &BIO_free);
  REQUIRE(PEM_write_bio_PrivateKey(
              memory.get(), key.get(), passphrase == nullptr ? nullptr : EVP_aes_128_cbc(),
              reinterpret_cast<const unsigned char *>(passphrase),
              passphrase == nullptr ? 0 : static_cast<int>(std::string_view(passphrase).size()),
              nullptr, nullptr) == 1);
  char *data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string decoded(std::string_view text) {
  std::string plain(text);
  for (char &one : plain) one = one == '-' ? '+' : one == '_' ? '/' : one;
  while (plain.size() % 4 != 0) plain += '=';
  const auto bytes = decodeBase64(plain);
  REQUIRE(bytes);
  return *bytes;
}

bool verifies(const Key &key, std::string_view text, const std::string &signature) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX *)> context(EVP_MD_CTX_new(),
                                                                    &EVP_MD_CTX_free);
  return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char *>(signature.data()),
                          signature.size(), reinterpret_cast<const unsigned char *>(text.data()),
                          text.size()) == 1;
}

std::string refusalOf(const Json &config) {
  try {
    const Settings settings(config.dump());
    return "";
  } catch (const skh::Error &error) {
    CHECK(error.status() == SKH_INVALID);
    return error.what();
  }
}

} // namespace

TEST_CASE("an app's assertion is a JWT that its key has signed") {
  const AppCredentials app("123", "45", pemOf(usualKey()));
  const std::string jwt = app.assertion(1'000'000);
  const std::size_t first = jwt.find('.'), second = jwt.rfind('.');
  REQUIRE(first < second);
  CHECK(decoded(jwt.substr(0, first)) == R"({"alg":"RS256","typ":"JWT"})");
  CHECK(Json::parse(decoded(jwt.substr(first + 1, second - first - 1))) ==
        Json({{"iat", 999'940}, {"exp", 1'000'540}, {"iss", "123"}}));
  CHECK(verifies(usualKey(), jwt.substr(0, second), decoded(jwt.substr(second + 1))));
  CHECK(!verifies(usualKey(), jwt.substr(0, second - 1), decoded(jwt.substr(second + 1))));
  CHECK(!verifies(rsaKey(2'048), jwt.substr(0, second), decoded(jwt.substr(second + 1))));
}

TEST_CASE("an app's token counts for an hour at most") {
  constexpr std::int64_t now = 1'700'000'000; // 2023-11-14T22:13:20Z
  const auto read = [](const Json &answer) { return issuedToken(answer.dump(), "123", now); };
  const IssuedToken token = read({{"token", "ghs_x"}, {"expires_at", "2023-11-14T22:33:20Z"}});
  CHECK(token.text == "ghs_x");
  CHECK(token.expires == now + 1'200);
  CHECK(read({{"token", "x"}, {"expires_at", "2023-11-14T23:13:20Z"}}).expires == now + 3'600);
  CHECK(read({{"token", "x"}, {"expires_at", "2023-11-14T23:13:21Z"}}).expires == now + 3'600);
  CHECK(read({{"token", "x"}, {"expires_at", "2999-01-01T00:00:00Z"}}).expires == now + 3'600);
  for (const Json &wrong :
       {Json(), Json{{"token", "x"}}, Json{{"token", "x"}, {"expires_at", "soon"}},
        Json{{"token", ""}, {"expires_at", "2999-01-01T00:00:00Z"}},
        Json{{"token", "a\nb"}, {"expires_at", "2999-01-01T00:00:00Z"}},
        Json{{"token", std::string(4'097, 'x')}, {"expires_at", "2999-01-01T00:00:00Z"}}})
    CHECK_THROWS_WITH(read(wrong),
                      Catch::Contains("of the app 123 has no token") && !Catch::Contains("xxx"));
}

TEST_CASE("the settings of an app go together") {
  const std::string pem = pemOf(usualKey());
  const Json good{{"url", "owner/r"},
                  {"app_id", "Iv23.1"},
                  {"app_installation_id", "45"},
                  {"app_private_key", pem}};
  CHECK(refusalOf(good).empty());
  CHECK(Settings(good.dump()).appApi == "https://api.github.com");
  const auto with = [&](const char *key, const Json &value) {
    Json changed = good;
    changed[key] = value;
    return refusalOf(changed);
  };
  for (const char *key : {"app_id", "app_installation_id", "app_private_key"})
    CHECK(with(key, "").starts_with(std::string(key) + ": is missing"));
  CHECK(with("token", "x").starts_with("app_id: excludes token"));
  CHECK(with("token_command", Json::array({"x"})).starts_with("app_id: excludes token"));
  CHECK(with("app_id", "1/2").starts_with("app_id: must be"));
  CHECK(with("app_installation_id", "1a").starts_with("app_installation_id: must be"));
  CHECK(with("url", "git@github.com:owner/r").starts_with("app_id: is for https"));
  const Key curve(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  for (const std::string &wrong : {std::string("no PEM"), pemOf(rsaKey(1'024)), pemOf(curve),
                                   pemOf(usualKey(), "secret"), std::string(100'000, 'x')})
    CHECK(with("app_private_key", wrong).starts_with("app_private_key: must be the PEM of an RSA"));
}
