// SPDX-License-Identifier: Apache-2.0
// The JSON of older skills servers (skill_sources, auto_update_*, github_api_token), understood as
// it is.
#pragma once

#include "settings/reading.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Does it hold a key that only the older form knows?
bool isOlderConfiguration(const Written &document) noexcept;

// The same in today's keys, at the same lines: local folders become filesystem sources, GitHub
// repositories sources of the plugin "github". Keys of today pass through; older ones without
// effect, and comments, are passed over; unknown ones are named in `warnings`. A malformed skill
// source is a problem.
Written translateOlderConfiguration(Reading &reading, const Written &older,
                                    std::vector<std::string> &warnings);

} // namespace skillhost::app
