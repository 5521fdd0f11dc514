// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "http_client/web_address.hpp"
#include "paths/names.hpp"

#include <skillhost/config.hpp>

#include <algorithm>

namespace skillhost::well_known {
namespace {

constexpr std::string_view wellKnownPath = "/.well-known/agent-skills/index.json",
                           olderPath = "/.well-known/skills/index.json";

std::uint64_t readNumber(const skh::Config &config, const std::string &key, std::uint64_t fallback,
                         std::int64_t maximum) {
  const std::int64_t value = config.integer(key, static_cast<std::int64_t>(fallback));
  if (value >= 1 && value <= maximum) return static_cast<std::uint64_t>(value);
  throw skh::Error(SKH_INVALID, key + ": must be between 1 and " + std::to_string(maximum));
}

bool isThisMachine(const std::string &host) {
  return host == "127.0.0.1" || host == "[::1]" || host == "localhost";
}

web::WebAddress readAddress(const std::string &key, const std::string &written) {
  const std::optional<web::WebAddress> address = web::readWebAddress(written);
  if (!address) // the text before an '@' may be a password
    throw skh::Error(SKH_INVALID,
                     key + ": " +
                         (written.find('@') == written.npos
                              ? "\"" + paths::printable(written) + "\" must be"
                              : std::string("must hold no user and no password, and be")) +
                         " an address such as https://example.org");
  if (!address->secure && !isThisMachine(address->host))
    throw skh::Error(SKH_INVALID, key + ": \"" + address->origin +
                                      "\" must begin with https:// (http:// is for this machine "
                                      "alone)");
  return *address;
}

std::string readIndexUrl(const skh::Config &config) {
  const web::WebAddress address = readAddress("url", config.text("url"));
  if (address.path.ends_with(".json")) return address.url;
  if (address.url.find('?') != std::string::npos)
    throw skh::Error(SKH_INVALID, "url: may have a query only where it names an index itself");
  std::string url = address.url;
  while (url.ends_with('/')) url.pop_back();
  return url.append(wellKnownPath);
}

std::vector<std::string> readOrigins(const skh::Config &config, const std::string &indexUrl) {
  std::vector<std::string> origins{readAddress("url", indexUrl).origin};
  for (const std::string &written : config.texts("allow_origins")) {
    const web::WebAddress address = readAddress("allow_origins", written);
    if (address.url != address.origin + "/")
      throw skh::Error(SKH_INVALID,
                       "allow_origins: \"" + paths::printable(written) + "\" must have no path");
    origins.push_back(address.origin);
  }
  return origins;
}

std::chrono::milliseconds readInterval(const skh::Config &config) {
  const double minutes = config.number("refresh_minutes", 60);
  if (minutes < 0 || minutes > 10'080)
    throw skh::Error(SKH_INVALID, "refresh_minutes: must be between 0 and 10080");
  return std::chrono::milliseconds(static_cast<std::int64_t>(minutes * 60'000));
}

std::string readToken(const skh::Config &config) {
  std::string token = config.text("token", "");
  if (!std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; }))
    throw skh::Error(SKH_INVALID, "token: holds blanks, control characters or letters that no "
                                  "bearer token has");
  return token;
}

} // namespace

bool Selection::takes(const std::string &name) const {
  return !applies(exclude, name) && (include.empty() || applies(include, name));
}

Settings::Settings(std::string_view configuration) : Settings(skh::Config(configuration)) {}

Settings::Settings(const skh::Config &config)
    : indexUrl(readIndexUrl(config)), refreshEvery(readInterval(config)),
      deadline(static_cast<std::int64_t>(readNumber(config, "deadline_ms", 120'000, 3'600'000))) {
  if (indexUrl.ends_with(wellKnownPath) && !config.text("url").ends_with(wellKnownPath))
    olderIndexUrl = indexUrl.substr(0, indexUrl.size() - wellKnownPath.size()).append(olderPath);
  allowUnverified = config.flag("allow_unverified", false);
  access.origins = readOrigins(config, indexUrl);
  access.token = readToken(config);
  access.caFile = config.text("ca_file", "");
  access.allowPrivateAddresses = config.flag("allow_private_addresses", false);
  // A few slow files must not take the time of all others. libcurl checks once a second, so a limit
  // of one second would apply before anything is measured.
  access.stallTimeout = std::clamp(std::chrono::duration_cast<std::chrono::seconds>(deadline / 4),
                                   std::chrono::seconds(2), std::chrono::seconds(30));
  selection.include = paths::readPatterns("include", config.texts("include"));
  selection.exclude = paths::readPatterns("exclude", config.texts("exclude"));
  limits.maxSkills = readNumber(config, "max_skills", limits.maxSkills, 100'000);
  limits.maxSkillFiles = readNumber(config, "max_skill_files", limits.maxSkillFiles, 1'000'000);
  limits.maxSkillBytes = readNumber(config, "max_skill_bytes", limits.maxSkillBytes, 1'073'741'824);
  limits.maxFetchBytes =
      readNumber(config, "max_fetch_bytes", limits.maxFetchBytes, 1'099'511'627'776);
}

} // namespace skillhost::well_known
