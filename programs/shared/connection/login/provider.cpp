// SPDX-License-Identifier: Apache-2.0
#include "login/provider.hpp"

#include "base/log.hpp"
#include "ground/base64.hpp"
#include "ground/shown.hpp"
#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "http_client/url.hpp"
#include "token_source.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::int64_t maxLife = 366 * 86'400; // longest accepted life of a token, in seconds

std::string cleaned(const std::string &text) { return shownLine(cutUtf8(log::masked(text), 300)); }

// Returns true if the provider does not know the client or refuses its secret (RFC 6749, section
// 5.2).
bool isAboutTheClient(const WebAnswer &answer) {
  const Result<Json> read = parseJson(answer.body);
  return read && read->is_object() && textOf(*read, "error") == "invalid_client";
}

// Returns the provider's reason for a refusal.
std::string refusalText(const WebAnswer &answer) {
  const Result<Json> read = parseJson(answer.body);
  if (!read || !read->is_object()) return "HTTP status " + std::to_string(answer.head.status);
  const std::string error = textOf(*read, "error"), words = textOf(*read, "error_description");
  if (error.empty()) return "HTTP status " + std::to_string(answer.head.status);
  return cleaned(error) + (words.empty() ? "" : ": " + cleaned(words));
}

bool isBearer(std::string_view type) {
  constexpr std::string_view bearer = "bearer";
  return std::equal(type.begin(), type.end(), bearer.begin(), bearer.end(),
                    [](char a, char b) { return asciiLowered(a) == b; });
}

Status readTokens(const WebAnswer &answer, KeptLogin &login) {
  const Result<Json> read = parseJson(answer.body);
  const std::string access = read && read->is_object() ? textOf(*read, "access_token") : "";
  if (!isToken(access))
    return {Fault::Denied, "the authorization server " + login.issuer + " sent no access token"};
  log::redact(access);
  // A token that is bound to a key needs a proof of that key, which we cannot give.
  if (const std::string type = textOf(*read, "token_type"); !type.empty() && !isBearer(type))
    return {Fault::Denied, "the authorization server " + login.issuer +
                               " gave a token of the type \"" + cleaned(type) +
                               "\", and only Bearer tokens can be used: have it give those to the "
                               "client " +
                               cleaned(login.clientId)};
  login.accessToken = access;
  // If the provider sends no new refresh token, the old one stays valid.
  if (const std::string refresh = textOf(*read, "refresh_token"); isToken(refresh)) {
    log::redact(refresh);
    login.refreshToken = refresh;
  }
  if (const std::string scope = textOf(*read, "scope"); !scope.empty()) login.scope = scope;
  login.expires = 0;
  const auto life = read->find("expires_in");
  if (life != read->end() && life->is_number()) {
    const double seconds = life->get<double>();
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::system_clock::now().time_since_epoch());
    if (seconds >= 0 && seconds < static_cast<double>(maxLife))
      login.expires = now.count() + static_cast<std::int64_t>(seconds);
  }
  return Done{};
}

FormFields clientFields(const KeptLogin &login) {
  FormFields fields{{"client_id", login.clientId}};
  if (!login.clientSecret.empty()) fields.emplace_back("client_secret", login.clientSecret);
  return fields;
}

Result<WebAnswer> post(const Web &web, const std::string &url, const FormFields &fields,
                       HttpFields header = {}) {
  // A provider may repeat the form in its answer.
  for (const auto &[name, value] : fields)
    if (name == "client_secret" || name == "refresh_token" || name == "token")
      log::redact(web::formEncoded(value));
  header.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  return request(web, url, {"POST", std::move(header), formEncoded(fields)});
}

// With `header`, the client is named in it and not in the form.
Status askForTokens(const Web &web, KeptLogin &login, FormFields fields, HttpFields header = {}) {
  if (header.empty())
    for (auto &field : clientFields(login)) fields.push_back(std::move(field));
  fields.emplace_back("resource", login.resource);
  const Result<WebAnswer> answer = post(web, login.tokenEndpoint, fields, std::move(header));
  if (!answer) return answer.failure();
  if (answer->head.status >= 500 || answer->head.status == 429)
    return {Fault::Unavailable,
            "the authorization server " + login.issuer + ": " + refusalText(*answer)};
  if (answer->head.status != 200 && isAboutTheClient(*answer)) login.forgetClient();
  if (answer->head.status != 200)
    return {Fault::Denied,
            "the authorization server " + login.issuer + " refuses: " + refusalText(*answer)};
  return readTokens(*answer, login);
}

} // namespace

Status registerClient(const Web &web, const AuthorizationServer &server,
                      const std::string &redirect, KeptLogin &login) {
  if (server.registrationEndpoint.empty())
    return {Fault::Denied, "the authorization server " + server.issuer +
                               " registers no clients by itself: have one registered with the "
                               "redirect http://127.0.0.1/callback, and name it with --client-id"};
  Json metadata{{"client_name", "skillhost"},
                {"application_type", "native"},
                {"redirect_uris", Json::array({redirect})},
                {"grant_types", Json::array({"authorization_code", "refresh_token"})},
                {"response_types", Json::array({"code"})},
                {"token_endpoint_auth_method", "none"}};
  if (!server.scope.empty())
    metadata["scope"] = server.scope + (server.offlineAccess ? " offline_access" : "");
  const Result<WebAnswer> answer =
      request(web, server.registrationEndpoint,
              {"POST", {{"Content-Type", "application/json"}}, metadata.dump()});
  if (!answer) return answer.failure();
  const Result<Json> read = parseJson(answer->body);
  const std::string id = read && read->is_object() ? textOf(*read, "client_id") : "";
  if (answer->head.status / 100 != 2 || id.empty())
    return {answer->head.status >= 500 ? Fault::Unavailable : Fault::Denied,
            "the authorization server " + server.issuer +
                " does not register skillhost: " + refusalText(*answer) +
                "; a client that was registered before is named with --client-id"};
  login.clientId = id;
  login.clientSecret = textOf(*read, "client_secret");
  if (!login.clientSecret.empty()) log::redact(login.clientSecret);
  return Done{};
}

Status exchangeCode(const Web &web, KeptLogin &login, const std::string &code,
                    const std::string &redirect, const std::string &verifier) {
  return askForTokens(web, login,
                      {{"grant_type", "authorization_code"},
                       {"code", code},
                       {"redirect_uri", redirect},
                       {"code_verifier", verifier}});
}

Status refreshTokens(const Web &web, KeptLogin &login) {
  return askForTokens(web, login,
                      {{"grant_type", "refresh_token"}, {"refresh_token", login.refreshToken}});
}

Status grantToClient(const Web &web, SecretPlace place, KeptLogin &login) {
  FormFields fields{{"grant_type", "client_credentials"}};
  if (!login.scope.empty()) fields.emplace_back("scope", login.scope);
  if (place == SecretPlace::Form) return askForTokens(web, login, std::move(fields));
  const std::string secret = web::formEncoded(login.clientSecret);
  const std::string encoded = encodeBase64(web::formEncoded(login.clientId) + ':' + secret);
  log::redact(secret);
  log::redact(encoded);
  return askForTokens(web, login, std::move(fields), {{"Authorization", "Basic " + encoded}});
}

Status revokeTokens(const Web &web, const KeptLogin &login) {
  if (login.revocationEndpoint.empty()) return Done{};
  const bool refresh = !login.refreshToken.empty();
  FormFields fields = clientFields(login);
  fields.emplace_back("token", refresh ? login.refreshToken : login.accessToken);
  fields.emplace_back("token_type_hint", refresh ? "refresh_token" : "access_token");
  const Result<WebAnswer> answer = post(web, login.revocationEndpoint, fields);
  if (!answer) return answer.failure();
  if (answer->head.status / 100 == 2) return Done{};
  return {Fault::OperationFailed, "the authorization server " + login.issuer +
                                      " does not take the token back: " + refusalText(*answer)};
}

} // namespace skillhost
