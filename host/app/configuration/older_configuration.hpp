// SPDX-License-Identifier: Apache-2.0
// Reads the JSON configuration of older skills servers (skill_sources, auto_update_*,
// github_api_token) without any change to it.
#pragma once

#include "settings/reading.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// True if the document contains a key that only the older form has.
bool isOlderConfiguration(const settings::Written &document) noexcept;

// Returns the same configuration in today's keys, at the same lines. Local folders become
// filesystem sources, and GitHub repositories become sources of the plugin "github". Keys of today
// stay as they are, older ones without effect and comments are ignored, and unknown ones are named
// in `warnings`. A malformed skill source is a problem.
settings::Written translateOlderConfiguration(settings::Reading &reading,
                                              const settings::Written &older,
                                              std::vector<std::string> &warnings);

} // namespace skillhost::app
