// SPDX-License-Identifier: Apache-2.0
// The file .claude-plugin/marketplace.json, by which Claude Code installs the skills as a plugin.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::git {

// Returns what is wrong with a name of the marketplace and its plugin; empty if nothing is.
std::string_view faultInMarketplaceName(std::string_view name) noexcept;

// Returns the text for one plugin that has all skills of the repository. It has no version, so that
// each commit counts as a new one.
std::string marketplaceText(std::string_view name);

} // namespace skillhost::git
