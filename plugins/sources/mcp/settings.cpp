// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "http_client/url.hpp"
#include "remote/web_settings.hpp"

#include <skillhost/config.hpp>

namespace skillhost::mcp_source {

using remote::readNumber;

Settings::Settings(std::string_view configuration) : Settings(skh::Config(configuration)) {}

Settings::Settings(const skh::Config &config)
    : address(remote::readAddress("url", config.text("url"))),
      shownUrl(web::withoutQuery(address.url)), token(remote::readToken(config)),
      caFile(config.text("ca_file", "")),
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
