// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "http_client/url.hpp"
#include "remote/web_settings.hpp"

#include <skillhost/config.hpp>

#include <algorithm>
#include <string>

namespace skillhost::mcp_source {

using remote::readNumber;

namespace {

constexpr std::size_t maxSecretBytes = 65'536;

void requireNoClient(const skh::Config &config) {
  for (const char *key : {"client_secret", "issuer", "grant_url", "scope"})
    if (!config.text(key, "").empty())
      throw skh::Error(SKH_INVALID, std::string(key) + ": goes with client_id, which is missing");
}

std::optional<ClientSettings> readClient(const skh::Config &config) {
  ClientSettings client{config.text("client_id", ""), config.text("client_secret", ""),
                        config.text("scope", ""), config.text("issuer", ""),
                        config.text("grant_url", "")};
  if (client.id.empty()) {
    requireNoClient(config);
    return std::nullopt;
  }
  if (!config.text("token", "").empty() || !config.texts("token_command").empty())
    throw skh::Error(SKH_INVALID, "client_id: excludes token and token_command: give one of them");
  if (client.secret.empty())
    throw skh::Error(SKH_INVALID, "client_secret: is missing, and goes with client_id");
  if (client.secret.size() > maxSecretBytes ||
      std::any_of(client.secret.begin(), client.secret.end(),
                  [](char c) { return c < ' ' || c > '~'; }))
    throw skh::Error(SKH_INVALID, "client_secret: holds what cannot be a client secret");
  if (client.issuer.empty() == client.grantUrl.empty())
    throw skh::Error(SKH_INVALID,
                     "issuer: name the authorization server that may receive the secret, such as "
                     "https://id.example.org, or its token endpoint as grant_url; not both");
  if (!client.issuer.empty()) remote::readAddress("issuer", client.issuer);
  if (!client.grantUrl.empty()) remote::readAddress("grant_url", client.grantUrl);
  return client;
}

} // namespace

Settings::Settings(std::string_view configuration) : Settings(skh::Config(configuration)) {}

Settings::Settings(const skh::Config &config)
    : address(remote::readAddress("url", config.text("url"))),
      shownUrl(web::withoutQuery(address.url)), caFile(config.text("ca_file", "")),
      token(remote::readToken(config)), tokenCommand(remote::readTokenCommand(config, token)),
      client(readClient(config)),
      allowPrivateAddresses(config.flag("allow_private_addresses", false)),
      subscribes(config.flag("subscribe", true)), refreshEvery(remote::readInterval(config, 15)),
      deadline(static_cast<std::int64_t>(readNumber(config, "deadline_ms", 120'000, 3'600'000))),
      stallTimeout(remote::stallTimeoutFor(deadline)),
      selection{paths::readPatterns("include", config.texts("include")),
                paths::readPatterns("exclude", config.texts("exclude"))} {
  limits.maxSkills = readNumber(config, "max_skills", limits.maxSkills, 100'000);
  limits.maxSkillFiles = readNumber(config, "max_skill_files", limits.maxSkillFiles, 1'000'000);
  limits.maxSkillBytes = readNumber(config, "max_skill_bytes", limits.maxSkillBytes, 1'073'741'824);
  limits.maxFetchBytes =
      readNumber(config, "max_fetch_bytes", limits.maxFetchBytes, 1'099'511'627'776);
}

} // namespace skillhost::mcp_source
