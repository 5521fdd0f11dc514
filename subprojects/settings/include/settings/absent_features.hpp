// SPDX-License-Identifier: Apache-2.0
// Keys of features that we ship and that this build does not have. They are unknown to this build,
// but it refuses them with the name of their feature: if it ignored such a key, it could open what
// the key was written to close.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::settings {

// Returns ": it belongs to …" for a key such as "locked", "sources[0].webhook_secret" or a whole
// section; empty if no absent feature has the key.
std::string absentKey(std::string_view key);
// Returns "unknown key …" for a variable of the environment; empty if no absent feature has its
// key.
std::string absentVariable(std::string_view name);
// Returns the command line options of the absent features, each with the text for its message.
std::vector<std::pair<std::string, std::string>> absentOptions();

} // namespace skillhost::settings
