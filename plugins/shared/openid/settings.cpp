// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "http_client/url.hpp"

namespace skillhost::openid {
namespace {

[[noreturn]] void refuse(const std::string &key, const std::string &why) {
  throw skh::Error(SKH_INVALID, key + ": " + why);
}

} // namespace

std::string urlSetting(const skh::Config &config, const std::string &key) {
  std::string url = config.text(key, "");
  if (!url.empty() && !web::isAllowedUrl(url))
    refuse(key, "must be an https:// address (http:// is for this machine alone)");
  return url;
}

std::int64_t numberSetting(const skh::Config &config, const std::string &key, std::int64_t fallback,
                           std::int64_t minimum, std::int64_t maximum) {
  const std::int64_t value = config.integer(key, fallback);
  if (value < minimum || value > maximum)
    refuse(key, "must be between " + std::to_string(minimum) + " and " + std::to_string(maximum));
  return value;
}

http::Options clientSettings(const skh::Config &config, const skh::Host &host) {
  http::Options options;
  options.caFile = config.text("ca_file", "");
  if (!options.caFile.empty() && !options.caFile.starts_with('/'))
    refuse("ca_file", "must be an absolute path");
  options.userAgent = std::string(host.name()) + '/' + std::string(host.version());
  options.totalLimit =
      std::chrono::milliseconds(numberSetting(config, "timeout_ms", 30'000, 100, 30'000));
  return options;
}

ClaimRules claimSettings(const skh::Config &config) {
  ClaimRules rules;
  rules.issuer = urlSetting(config, "issuer");
  rules.audiences = config.texts("audience");
  rules.audienceRequired = config.flag("require_audience", true);
  rules.leeway = numberSetting(config, "leeway_seconds", 60, 0, 300);
  return rules;
}

PrincipalRules principalSettings(const skh::Config &config) {
  PrincipalRules rules;
  rules.issuer = config.text("issuer", "");
  rules.claims = {"client_id", "azp", "groups", "roles"};
  if (config.has("claims")) rules.claims = config.texts("claims");
  rules.cacheSeconds = numberSetting(config, "cache_seconds", 300, 0, 300);
  return rules;
}

std::string resourceMetadata(const skh::Config &config) {
  nlohmann::json metadata{{"bearer_methods_supported", {"header"}}};
  if (const std::string issuer = config.text("issuer", ""); !issuer.empty())
    metadata["authorization_servers"] = {issuer};
  if (const auto scopes = config.texts("scopes_supported"); !scopes.empty())
    metadata["scopes_supported"] = scopes;
  return metadata.dump();
}

} // namespace skillhost::openid
