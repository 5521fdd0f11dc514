// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include "ground/json.hpp"
#include "ground/text.hpp"
#include "http_client/url.hpp"
#include "openid/discovery.hpp"

namespace skillhost::oauth {
namespace {

constexpr std::size_t maxTokenBytes = std::size_t{16} * 1024;

[[noreturn]] void deny(const std::string &why) { throw skh::Error(SKH_DENIED, why); }
[[noreturn]] void unavailable(const std::string &endpoint, const std::string &why) {
  throw skh::Error(SKH_UNAVAILABLE, std::string(web::withoutQuery(endpoint)) + ' ' + why);
}

// Returns the error code of RFC 6749 section 5.2; empty if there is none.
std::string errorOf(const http::Response &response) {
  const auto answer = readJsonObject(response.body);
  if (!answer) return {};
  const auto error = answer->find("error");
  return error != answer->end() && error->is_string() ? error->get<std::string>() : std::string{};
}

void requireBearer(const Json &claims) {
  const auto found = claims.find("token_type");
  if (found == claims.end()) return;
  if (!found->is_string() || asciiLowered(found->get_ref<const std::string &>()) != "bearer")
    deny("the token is of another type than Bearer");
}

[[noreturn]] void refuseIntrospection(const http::Response &response, const std::string &endpoint) {
  const std::string error = errorOf(response);
  if (error == "unsupported_token_type")
    deny("the provider does not introspect tokens of this type, probably a JWT: the plugin jwt "
         "accepts those");
  if (response.status == 401 || response.status == 403 || error == "invalid_client" ||
      error == "unauthorized_client")
    unavailable(endpoint, "refuses this server (HTTP status " + std::to_string(response.status) +
                              "): check client_id, client_secret and client_auth, and that the "
                              "client may introspect");
  if (response.status == 400) deny("the provider does not recognize the token");
  unavailable(endpoint, "answers with HTTP status " + std::to_string(response.status));
}

Json introspected(const http::Response &response, const std::string &endpoint) {
  if (response.status != 200) refuseIntrospection(response, endpoint);
  Json claims = openid::jsonAnswer(response, endpoint);
  const auto active = claims.find("active");
  if (active == claims.end() || !active->is_boolean())
    unavailable(endpoint, "does not say whether the token is active: it is no introspection "
                          "endpoint");
  if (!active->get<bool>()) deny("the provider says that the token is not active");
  requireBearer(claims);
  return claims;
}

Json informed(const http::Response &response, const std::string &endpoint) {
  if (response.status == 400 || response.status == 401)
    deny("the provider says that the token is not valid");
  Json claims = openid::jsonAnswer(response, endpoint);
  if (claims.contains("error") || claims.contains("error_description"))
    deny("the provider says that the token is not valid");
  if (const auto active = claims.find("active"); active != claims.end() && *active != true)
    deny("the provider says that the token is not active");
  requireBearer(claims);
  return claims;
}

} // namespace

bool couldBeToken(std::string_view token) {
  constexpr std::string_view characters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/";
  if (token.size() > maxTokenBytes) return false;
  while (token.ends_with('=')) token.remove_suffix(1);
  return !token.empty() && token.find_first_not_of(characters) == token.npos;
}

Json claimsOf(const http::Response &response, Form form, const std::string &endpoint) {
  return form == Form::TokenInfo ? informed(response, endpoint) : introspected(response, endpoint);
}

} // namespace skillhost::oauth
