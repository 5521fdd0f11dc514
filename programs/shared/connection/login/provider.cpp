// SPDX-License-Identifier: Apache-2.0
#include "login/provider.hpp"

#include "base/log.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace skillhost {

Status offersSignIn(const AuthorizationServer &server) {
  if (server.authorizationEndpoint.empty())
    return {Fault::Denied, "the authorization server " + server.issuer +
                               " offers no sign-in by browser (authorization_endpoint): give a "
                               "token with --token-file"};
  if (!server.pkce)
    return {Fault::Denied,
            "the authorization server " + server.issuer +
                " does not offer PKCE with S256, without which signing in is not safe"};
  return Done{};
}

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
      web(server.registrationEndpoint,
          {"POST", {{"Content-Type", "application/json"}}, metadata.dump()});
  if (!answer) return answer.failure();
  const Result<Json> read = parseJson(answer->body);
  const std::string id = read && read->is_object() ? textOf(*read, "client_id") : "";
  if (answer->status / 100 != 2 || id.empty())
    return {answer->status >= 500 ? Fault::Unavailable : Fault::Denied,
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
  return requestTokens(web, login,
                       {{"grant_type", "authorization_code"},
                        {"code", code},
                        {"redirect_uri", redirect},
                        {"code_verifier", verifier}});
}

Status refreshTokens(const Web &web, KeptLogin &login) {
  return requestTokens(web, login,
                       {{"grant_type", "refresh_token"}, {"refresh_token", login.refreshToken}});
}

Status revokeTokens(const Web &web, const KeptLogin &login) {
  if (login.revocationEndpoint.empty()) return Done{};
  const bool refresh = !login.refreshToken.empty();
  FormFields fields = clientFields(login);
  fields.emplace_back("token", refresh ? login.refreshToken : login.accessToken);
  fields.emplace_back("token_type_hint", refresh ? "refresh_token" : "access_token");
  const Result<WebAnswer> answer = postForm(web, login.revocationEndpoint, fields);
  if (!answer) return answer.failure();
  if (answer->status / 100 == 2) return Done{};
  return {Fault::OperationFailed, "the authorization server " + login.issuer +
                                      " does not take the token back: " + refusalText(*answer)};
}

} // namespace skillhost
