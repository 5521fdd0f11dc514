// SPDX-License-Identifier: Apache-2.0
// Writes findings in the format that code hosts show beside the lines.
#pragma once

#include "skillcheck/site_rules.hpp"
#include "skillmd/finding.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Returns a SARIF log, version 2.1.0, of one run. Each result has a fingerprint that stays when the
// finding moves within its file. Content rules and those of the site have text, help and level.
// Ends with a line feed.
std::string sarifLog(const std::vector<Finding> &findings, const SiteRules &siteRules);

} // namespace skillhost::app
