// SPDX-License-Identifier: Apache-2.0
#include "oauth/discovery.hpp"

#include "ground/shown.hpp"
#include "ground/url.hpp"
#include "http_client/url.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace skillhost {
namespace {

constexpr std::string_view resourceDocument = "/.well-known/oauth-protected-resource",
                           serverDocument = "/.well-known/oauth-authorization-server",
                           openIdDocument = "/.well-known/openid-configuration";

struct Place {
  std::string origin, path; // "https://a.example:8443", and "/mcp" or empty
};

Place placeOf(const std::string &url) {
  const auto parts = urlParts(url);
  if (!parts) return {url, ""};
  std::string path(parts->rest.substr(0, parts->rest.find_first_of("?#")));
  if (path == "/") path.clear();
  return {std::string(parts->origin), std::move(path)};
}

std::string shown(const std::string &url) { return std::string(web::withoutQuery(url)); }

bool holds(const Json &object, const char *name, std::string_view text) {
  const auto list = object.find(name);
  return list != object.end() && list->is_array() &&
         std::any_of(list->begin(), list->end(),
                     [&](const Json &one) { return one.is_string() && one == text; });
}

std::string joined(const Json &object, const char *name) {
  std::string out;
  const auto list = object.find(name);
  if (list == object.end() || !list->is_array()) return out;
  for (const Json &one : *list)
    if (one.is_string()) out += (out.empty() ? "" : " ") + one.get<std::string>();
  return out;
}

bool flag(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

// Returns the document at the first address that has one; NotFound if none has.
Result<Json> firstOf(const Web &web, const std::vector<std::string> &addresses) {
  Failure last{Fault::NotFound, "no address to ask"};
  for (const std::string &address : addresses) {
    Result<Json> document = fetchObject(web, address);
    if (document || document.failure().fault != Fault::NotFound) return document;
    last = std::move(document).failure();
  }
  return last;
}

// The resource that the server's document names must be the URL itself or a parent of it.
bool covers(const std::string &resource, const std::string &url) {
  const Place named = placeOf(resource), requested = placeOf(url);
  return named.origin == requested.origin &&
         (named.path.empty() || requested.path == named.path ||
          requested.path.starts_with(named.path.ends_with('/') ? named.path : named.path + '/'));
}

Result<WebAnswer> challenge(const Web &web, const std::string &url) {
  return web(url, {"POST",
                   {{"Content-Type", "application/json"},
                    {"Accept", "application/json, text/event-stream"}},
                   R"({"jsonrpc":"2.0","id":"skillhost-login","method":"ping"})"});
}

// Returns the metadata of the protected resource; an empty object if the server has none.
Result<Json> protection(const Web &web, const std::string &url, const std::string &named) {
  const Place place = placeOf(url);
  std::vector<std::string> addresses;
  if (!named.empty()) addresses.push_back(named);
  if (named.empty() && !place.path.empty())
    addresses.push_back(place.origin + std::string(resourceDocument) + place.path);
  if (named.empty()) addresses.push_back(place.origin + std::string(resourceDocument));
  Result<Json> document = firstOf(web, addresses);
  if (!document && document.failure().fault == Fault::NotFound) return Json::object();
  if (!document) return document;
  const std::string resource = textOf(*document, "resource");
  if (!covers(resource, url))
    return {Fault::Denied, "the server says that it is \"" + shownLine(resource.substr(0, 200)) +
                               "\" and not " + shown(url) + ": connect to that URL"};
  return document;
}

Result<Json> serverOf(const Web &web, const std::string &issuer) {
  const Place place = placeOf(issuer);
  std::vector<std::string> addresses{place.origin + std::string(serverDocument) + place.path,
                                     place.origin + std::string(openIdDocument) + place.path};
  if (!place.path.empty())
    addresses.push_back(place.origin + place.path + std::string(openIdDocument));
  Result<Json> document = firstOf(web, addresses);
  if (!document && document.failure().fault == Fault::NotFound)
    return {Fault::Denied, "the authorization server " + shownLine(issuer) +
                               " publishes no metadata (" + document.failure().message + ")"};
  if (!document) return document;
  if (textOf(*document, "issuer") != issuer)
    return {Fault::Denied, "the authorization server " + shownLine(issuer) + " calls itself \"" +
                               shownLine(textOf(*document, "issuer").substr(0, 200)) + '"'};
  return document;
}

} // namespace

std::string challengeParameter(std::string_view challenge, std::string_view name) {
  const auto tokenByte = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  };
  std::size_t at = 0;
  while (at < challenge.size()) {
    if (challenge[at] == '"') { // a quoted text outside any parameter
      for (++at; at < challenge.size() && challenge[at] != '"'; ++at)
        if (challenge[at] == '\\') ++at;
      ++at;
      continue;
    }
    if (!tokenByte(challenge[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < challenge.size() && tokenByte(challenge[at])) ++at;
    const std::string_view found = challenge.substr(begin, at - begin);
    if (at >= challenge.size() || challenge[at] != '=') continue;
    ++at;
    std::string value;
    if (at < challenge.size() && challenge[at] == '"') {
      for (++at; at < challenge.size() && challenge[at] != '"'; ++at) {
        if (challenge[at] == '\\' && at + 1 < challenge.size()) ++at;
        value += challenge[at];
      }
      ++at;
    } else {
      while (at < challenge.size() && challenge[at] != ',' && challenge[at] != ' ')
        value += challenge[at++];
    }
    if (found == name) return value;
  }
  return {};
}

Result<AuthorizationServer> discover(const Web &web, const std::string &url,
                                     const SettingNames &names, const std::string &pinned) {
  const Result<WebAnswer> challenged = challenge(web, url);
  if (!challenged) return challenged.failure();
  const std::string &words = challenged->challenge;
  const Result<Json> resource =
      protection(web, url, challengeParameter(words, "resource_metadata"));
  if (!resource) return resource.failure();
  if (challenged->status != 401 && resource->empty())
    return {Fault::Denied, shown(url) + " does not ask for a token (HTTP status " +
                               std::to_string(challenged->status) +
                               "): there is nothing to sign in to"};

  AuthorizationServer server;
  server.resource = resource->empty() ? url : textOf(*resource, "resource");
  server.scope = challengeParameter(words, "scope");
  if (server.scope.empty()) server.scope = joined(*resource, "scopes_supported");
  // A server older than RFC 9728 is its own authorization server.
  std::string issuer = placeOf(url).origin;
  if (const auto issuers = resource->find("authorization_servers");
      issuers != resource->end() && issuers->is_array() && !issuers->empty() &&
      issuers->front().is_string())
    issuer = issuers->front().get<std::string>();
  if (!pinned.empty() && holds(*resource, "authorization_servers", pinned)) issuer = pinned;
  if (!pinned.empty() && issuer != pinned)
    return {Fault::Denied, "the MCP server names the authorization server \"" +
                               issuer.substr(0, 200) + "\", and " + names.issuer + " names " +
                               pinned +
                               ": the client secret is not sent. If the server is right, give its "
                               "authorization server to " +
                               names.issuer};
  const Result<Json> document = serverOf(web, issuer);
  if (!document) return document.failure();
  server.issuer = issuer;
  server.authorizationEndpoint = textOf(*document, "authorization_endpoint");
  server.tokenEndpoint = textOf(*document, "token_endpoint");
  server.registrationEndpoint = textOf(*document, "registration_endpoint");
  server.revocationEndpoint = textOf(*document, "revocation_endpoint");
  server.offlineAccess = holds(*document, "scopes_supported", "offline_access");
  server.clientMetadata = flag(*document, "client_id_metadata_document_supported");
  server.namesIssuer = flag(*document, "authorization_response_iss_parameter_supported");
  constexpr const char *methods = "token_endpoint_auth_methods_supported";
  server.secretInHeader =
      !document->contains(methods) || holds(*document, methods, "client_secret_basic");
  server.secretInForm = holds(*document, methods, "client_secret_post");
  server.pkce = holds(*document, "code_challenge_methods_supported", "S256");
  if (server.tokenEndpoint.empty())
    return {Fault::Denied, "the authorization server " + issuer +
                               " offers no sign-in by browser and no other "
                               "way to tokens (token_endpoint): give a token with " +
                               names.token};
  return server;
}

} // namespace skillhost
