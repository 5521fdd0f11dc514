// SPDX-License-Identifier: Apache-2.0
#include "oauth/token_request.hpp"

#include "base/log.hpp"
#include "ground/base64.hpp"
#include "ground/shown.hpp"
#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "http_client/url.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

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

bool isBearer(std::string_view type) {
  constexpr std::string_view bearer = "bearer";
  return std::equal(type.begin(), type.end(), bearer.begin(), bearer.end(),
                    [](char a, char b) { return asciiLowered(a) == b; });
}

Status readTokens(const WebAnswer &answer, ClientTokens &tokens) {
  const Result<Json> read = parseJson(answer.body);
  const std::string access = read && read->is_object() ? textOf(*read, "access_token") : "";
  if (!isToken(access))
    return {Fault::Denied, "the authorization server " + tokens.issuer + " sent no access token"};
  // A token that is bound to a key needs a proof of that key, which we cannot give.
  if (const std::string type = textOf(*read, "token_type"); !type.empty() && !isBearer(type))
    return {Fault::Denied, "the authorization server " + tokens.issuer +
                               " gave a token of the type \"" + cleaned(type) +
                               "\", and only Bearer tokens can be used: have it give those to the "
                               "client " +
                               cleaned(tokens.clientId)};
  tokens.accessToken = access;
  // If the provider sends no new refresh token, the old one stays valid.
  if (const std::string refresh = textOf(*read, "refresh_token"); isToken(refresh))
    tokens.refreshToken = refresh;
  if (const std::string scope = textOf(*read, "scope"); !scope.empty()) tokens.scope = scope;
  tokens.expires = 0;
  const auto life = read->find("expires_in");
  if (life != read->end() && life->is_number()) {
    const double seconds = life->get<double>();
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::system_clock::now().time_since_epoch());
    if (seconds >= 0 && seconds < static_cast<double>(maxLife))
      tokens.expires = now.count() + static_cast<std::int64_t>(seconds);
  }
  return Done{};
}

} // namespace

AccessToken accessToken(const ClientTokens &tokens) {
  AccessToken token{tokens.accessToken, {}};
  if (tokens.expires != 0)
    token.expires = std::chrono::system_clock::time_point(std::chrono::seconds(tokens.expires));
  return token;
}

std::string refusalText(const WebAnswer &answer) {
  std::string status = "HTTP status " + std::to_string(answer.status);
  if (answer.status / 100 == 3) return status + ", and no redirect is followed";
  const Result<Json> read = parseJson(answer.body);
  if (!read || !read->is_object()) return status;
  const std::string error = textOf(*read, "error"), words = textOf(*read, "error_description");
  if (error.empty()) return status;
  return cleaned(error) + (words.empty() ? "" : ": " + cleaned(words));
}

FormFields clientFields(const ClientTokens &tokens) {
  FormFields fields{{"client_id", tokens.clientId}};
  if (!tokens.clientSecret.empty()) fields.emplace_back("client_secret", tokens.clientSecret);
  return fields;
}

Result<WebAnswer> postForm(const Web &web, const std::string &url, const FormFields &fields,
                           HttpFields header) {
  // A provider may repeat the form in its answer.
  for (const auto &[name, value] : fields)
    if (name == "client_secret" || name == "refresh_token" || name == "token")
      log::redact(web::formEncoded(value));
  header.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  return web(url, {"POST", std::move(header), formEncoded(fields)});
}

Status requestTokens(const Web &web, ClientTokens &tokens, FormFields fields, HttpFields header) {
  if (header.empty())
    for (auto &field : clientFields(tokens)) fields.push_back(std::move(field));
  fields.emplace_back("resource", tokens.resource);
  const Result<WebAnswer> answer = postForm(web, tokens.tokenEndpoint, fields, std::move(header));
  if (!answer) return answer.failure();
  if (answer->status >= 500 || answer->status == 429)
    return {Fault::Unavailable,
            "the authorization server " + tokens.issuer + ": " + refusalText(*answer)};
  if (answer->status != 200 && isAboutTheClient(*answer)) tokens.forgetClient();
  if (answer->status != 200)
    return {Fault::Denied,
            "the authorization server " + tokens.issuer + " refuses: " + refusalText(*answer)};
  return readTokens(*answer, tokens);
}

Status grantToClient(const Web &web, SecretPlace place, ClientTokens &tokens) {
  FormFields fields{{"grant_type", "client_credentials"}};
  if (!tokens.scope.empty()) fields.emplace_back("scope", tokens.scope);
  if (place == SecretPlace::Form) return requestTokens(web, tokens, std::move(fields));
  const std::string secret = web::formEncoded(tokens.clientSecret);
  const std::string encoded = encodeBase64(web::formEncoded(tokens.clientId) + ':' + secret);
  log::redact(secret);
  log::redact(encoded);
  return requestTokens(web, tokens, std::move(fields), {{"Authorization", "Basic " + encoded}});
}

} // namespace skillhost
