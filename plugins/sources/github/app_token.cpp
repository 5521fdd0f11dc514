// SPDX-License-Identifier: Apache-2.0
#include "app_token.hpp"

#include "ground/base64.hpp"
#include "ground/json.hpp"
#include "ground/json_member.hpp"
#include "ground/time_reading.hpp"
#include "http_client/signal_guard.hpp"

#include <nlohmann/json.hpp>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost::github {
namespace {

constexpr std::size_t maxPemBytes = 65'536, maxAnswerBytes = 1U << 20U, maxAppTokenBytes = 4'096;
constexpr int minBits = 2'048;
constexpr std::int64_t assertionLife = 540, clockError = 60, reserve = 300; // seconds
constexpr std::int64_t longestLife = 3'600; // no token of an app is good for longer

struct FreeMemory {
  void operator()(BIO *memory) const { BIO_free(memory); }
};

std::shared_ptr<evp_pkey_st> keyIn(std::string_view pem) {
  std::shared_ptr<EVP_PKEY> key;
  if (pem.size() <= maxPemBytes) {
    const std::unique_ptr<BIO, FreeMemory> memory(
        BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    std::string none; // the pass phrase, so that OpenSSL does not ask for one
    if (memory)
      key.reset(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, none.data()),
                &EVP_PKEY_free);
  }
  ERR_clear_error(); // clears the thread's queue
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA ||
      EVP_PKEY_get_bits(key.get()) < minBits)
    throw skh::Error(
        SKH_INVALID,
        "app_private_key: must be the PEM of an RSA key of at least 2048 bits, without "
        "a pass phrase, as GitHub gives it: ${file:PATH}");
  return key;
}

std::string readAnswer(Transfer &transfer) {
  std::string body;
  std::array<char, 16'384> part{};
  while (const std::size_t size = transfer.read(part.data(), part.size())) {
    body.append(part.data(), size);
    if (body.size() > maxAnswerBytes)
      throw remote::RemoteError("GitHub's answer for a token is larger than 1 MiB");
  }
  return body;
}

[[noreturn]] void refuse(long status, const Transfer &transfer, const AppCredentials &app) {
  const std::string why =
      "GitHub answers " + std::to_string(status) + " when asked for a token of the app " + app.app;
  const auto pause = transfer.retryAfter();
  if (status == 401)
    throw remote::RefusedError(
        why + ": app_id and app_private_key do not belong together, or the clock is wrong", pause);
  if (status == 404)
    throw remote::RefusedError(why + ": it has no installation " + app.installation, pause);
  if (status == 403) throw remote::RefusedError(why + ": its installation is suspended", pause);
  throw remote::RemoteError(why, pause);
}

} // namespace

AppCredentials::AppCredentials(std::string appId, std::string installationId, std::string_view pem)
    : app(std::move(appId)), installation(std::move(installationId)), key_(keyIn(pem)) {}

std::string AppCredentials::assertion(std::int64_t now) const {
  const Json claims{{"iat", now - clockError}, {"exp", now + assertionLife}, {"iss", app}};
  const std::string text =
      encodeBase64Url(R"({"alg":"RS256","typ":"JWT"})") + '.' + encodeBase64Url(claims.dump());
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  const auto *const bytes = reinterpret_cast<const unsigned char *>(text.data());
  std::string signature;
  std::size_t size = 0;
  bool isSigned =
      context &&
      EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
      EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) == 1;
  if (isSigned) {
    signature.resize(size);
    isSigned = EVP_DigestSign(context.get(), reinterpret_cast<unsigned char *>(signature.data()),
                              &size, bytes, text.size()) == 1;
    signature.resize(isSigned ? size : 0);
  }
  ERR_clear_error();
  if (!isSigned) throw skh::Error(SKH_FAILED, "OpenSSL cannot sign with app_private_key");
  return text + '.' + encodeBase64Url(signature);
}

IssuedToken issuedToken(std::string_view body, const std::string &app, std::int64_t now) {
  const Result<Json> answer = parseJson(body);
  const std::string_view token = answer ? memberText(*answer, "token") : "";
  const auto expires = answer ? timeFromText(memberText(*answer, "expires_at")) : std::nullopt;
  const bool isPlain = std::all_of(token.begin(), token.end(),
                                   [](char byte) { return byte > ' ' && byte < '\x7f'; });
  if (token.empty() || !isPlain || token.size() > maxAppTokenBytes || !expires)
    throw remote::RemoteError("GitHub's answer for a token of the app " + app +
                              " has no token, or no time at which it expires");
  return {std::string(token), std::min(*expires, now + longestLife)};
}

const std::string &AppToken::get(const HttpRules &rules, remote::Operation &operation) {
  const std::int64_t now = secondsNow();
  if (!last_.text.empty() && now + reserve < last_.expires) return last_.text;
  const web::SignalGuard guard; // the server may close the connection
  HttpRequest request{api_ + "/app/installations/" + credentials_.installation + "/access_tokens",
                      "GitHub"};
  request.headers = {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28"};
  request.authentication = HttpRequest::Authentication::Bearer;
  request.secret = credentials_.assertion(now);
  request.isPost = true;
  web::Connections connections;
  Transfer transfer(connections, rules, operation, std::move(request));
  if (const long status = transfer.awaitHead(); status != 201)
    refuse(status, transfer, credentials_);
  last_ = issuedToken(readAnswer(transfer), credentials_.app, now);
  return last_.text;
}

} // namespace skillhost::github
