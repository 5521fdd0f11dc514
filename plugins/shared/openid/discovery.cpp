// SPDX-License-Identifier: Apache-2.0
#include "discovery.hpp"

#include "ground/json.hpp"
#include "ground/url.hpp"
#include "http_client/url.hpp"

namespace skillhost::openid {
namespace {

std::string withoutSlash(std::string text) {
  while (text.ends_with('/')) text.pop_back();
  return text;
}

} // namespace

Json jsonAnswer(const http::Response &response, const std::string &url) {
  const std::string where(web::withoutQuery(url));
  if (response.status != 200)
    throw skh::Error(SKH_UNAVAILABLE,
                     where + " answers with HTTP status " + std::to_string(response.status));
  std::optional<Json> document = readJsonObject(response.body);
  if (!document)
    throw skh::Error(SKH_UNAVAILABLE, where + " answers with something else than a JSON object");
  return *std::move(document);
}

Json discover(const skh::Call &call, http::Client &client, const std::string &issuer) {
  const std::string base = withoutSlash(issuer);
  const std::string origin(web::originOf(base));
  std::string url = base + "/.well-known/openid-configuration";
  http::Response response = client.send(call, {url, {}, {}, {}});
  if (response.status == 404) {
    url = origin + "/.well-known/oauth-authorization-server" + base.substr(origin.size());
    response = client.send(call, {url, {}, {}, {}});
  }
  Json metadata = jsonAnswer(response, url);
  const auto named = metadata.find("issuer");
  if (named == metadata.end() || !named->is_string() ||
      !isSameIssuer(named->get_ref<const std::string &>(), issuer))
    throw skh::Error(SKH_UNAVAILABLE,
                     url + " is of another issuer than " + issuer + ": it says " +
                         (named == metadata.end() ? "none" : named->dump().substr(0, 200)) +
                         "; write auth.config.issuer exactly as the provider does");
  return metadata;
}

std::string endpoint(const Json &metadata, const char *name) {
  const auto found = metadata.find(name);
  if (found == metadata.end()) return {};
  if (!found->is_string() || !web::isAllowedUrl(found->get_ref<const std::string &>()))
    throw skh::Error(SKH_UNAVAILABLE,
                     std::string("the provider's ") + name + " is no https:// address");
  return found->get<std::string>();
}

} // namespace skillhost::openid
