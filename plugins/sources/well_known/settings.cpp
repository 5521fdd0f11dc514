// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "http_client/web_address.hpp"
#include "paths/names.hpp"
#include "remote/web_settings.hpp"

#include <skillhost/config.hpp>

namespace skillhost::well_known {
namespace {

constexpr std::string_view wellKnownPath = "/.well-known/agent-skills/index.json",
                           olderPath = "/.well-known/skills/index.json";

std::string readIndexUrl(const skh::Config &config) {
  const web::WebAddress address = remote::readAddress("url", config.text("url"));
  if (address.path.ends_with(".json")) return address.url;
  if (address.url.find('?') != std::string::npos)
    throw skh::Error(SKH_INVALID, "url: may have a query only where it names an index itself");
  std::string url = address.url;
  while (url.ends_with('/')) url.pop_back();
  return url.append(wellKnownPath);
}

std::vector<std::string> readOrigins(const skh::Config &config, const std::string &indexUrl) {
  std::vector<std::string> origins{remote::readAddress("url", indexUrl).origin};
  for (const std::string &written : config.texts("allow_origins")) {
    const web::WebAddress address = remote::readAddress("allow_origins", written);
    if (address.url != address.origin + "/")
      throw skh::Error(SKH_INVALID,
                       "allow_origins: \"" + paths::printable(written) + "\" must have no path");
    origins.push_back(address.origin);
  }
  return origins;
}

} // namespace

Settings::Settings(std::string_view configuration) : Settings(skh::Config(configuration)) {}

Settings::Settings(const skh::Config &config)
    : indexUrl(readIndexUrl(config)), refreshEvery(remote::readInterval(config, 60)),
      deadline(static_cast<std::int64_t>(
          remote::readNumber(config, "deadline_ms", 120'000, 3'600'000))) {
  if (indexUrl.ends_with(wellKnownPath) && !config.text("url").ends_with(wellKnownPath))
    olderIndexUrl = indexUrl.substr(0, indexUrl.size() - wellKnownPath.size()).append(olderPath);
  allowUnverified = config.flag("allow_unverified", false);
  access.origins = readOrigins(config, indexUrl);
  access.token = remote::readToken(config);
  access.caFile = config.text("ca_file", "");
  access.allowPrivateAddresses = config.flag("allow_private_addresses", false);
  access.stallTimeout = remote::stallTimeoutFor(deadline);
  selection.include = paths::readPatterns("include", config.texts("include"));
  selection.exclude = paths::readPatterns("exclude", config.texts("exclude"));
  limits.maxSkills = remote::readNumber(config, "max_skills", limits.maxSkills, 100'000);
  limits.maxSkillFiles =
      remote::readNumber(config, "max_skill_files", limits.maxSkillFiles, 1'000'000);
  limits.maxSkillBytes =
      remote::readNumber(config, "max_skill_bytes", limits.maxSkillBytes, 1'073'741'824);
  limits.maxFetchBytes =
      remote::readNumber(config, "max_fetch_bytes", limits.maxFetchBytes, 1'099'511'627'776);
}

} // namespace skillhost::well_known
