// SPDX-License-Identifier: Apache-2.0
// Tokens are meant for an address. Doctor compares the settings that name it.
#include "doctor.hpp"
#include "ground/url.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::app {
namespace {

std::vector<std::string> audiencesOf(const Json &config) {
  std::vector<std::string> audiences;
  const auto found = config.find("audience");
  if (found == config.end()) return audiences;
  if (found->is_string()) audiences.push_back(found->get<std::string>());
  if (found->is_array())
    for (const Json &one : *found)
      if (one.is_string()) audiences.push_back(one.get<std::string>());
  return audiences;
}

std::string authorityOf(const std::string &url) {
  const std::string whole = canonicalUrl(url);
  const auto parts = urlParts(whole);
  return parts ? std::string(parts->authority) : std::string();
}

} // namespace

void examineAudience(const Configuration &configuration, Remarks &remarks) {
  const AuthConfiguration &auth = configuration.auth;
  const std::string address = configuration.http.publicUrl.value_or("");
  const std::string resource = auth.resource.value_or(address);
  if (configuration.transport != Transport::Http || auth.plugin == "static") return;
  if (address.empty())
    remarks.push_back({Health::Warning, "auth",
                       "http.public_url is not set, so clients are told the address that the "
                       "server listens on, and get tokens for that one",
                       "set http.public_url to the URL that clients ask"});
  if (resource.empty()) return;
  const std::vector<std::string> audiences = audiencesOf(auth.config);
  std::string accepted = resource;
  bool isAddressAccepted = canonicalUrl(resource) == canonicalUrl(address);
  for (const std::string &one : audiences) {
    accepted += ", " + one;
    isAddressAccepted = isAddressAccepted || canonicalUrl(one) == canonicalUrl(address);
    if (authorityOf(one) == authorityOf(resource) && canonicalUrl(one) != canonicalUrl(resource))
      remarks.push_back({Health::Warning, "auth",
                         "auth.config.audience has " + one + ", and this server is " + resource,
                         "make them the same, unless you mean both"});
  }
  if (!address.empty() && !isAddressAccepted)
    remarks.push_back({Health::Wrong, "auth",
                       "clients are told to get tokens for " + address +
                           " (http.public_url), and accepted are those for " + accepted,
                       "make auth.resource the same, or add the address to auth.config.audience"});
  else
    remarks.push_back({Health::Good, "auth", "accepts tokens whose aud is " + accepted, ""});
}

} // namespace skillhost::app
