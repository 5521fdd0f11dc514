// SPDX-License-Identifier: Apache-2.0
// Default places of the store and its keys.
#pragma once

#include <string>

namespace skillhost::store {

// Returns $XDG_DATA_HOME/skillhost/skills, else ~/.local/share/skillhost/skills; empty without
// either variable.
std::string defaultRoot(const std::string &dataHome, const std::string &home);

// Returns $XDG_CONFIG_HOME/skillhost/NAME, else ~/.config/skillhost/NAME; empty without either
// variable.
std::string defaultKeyFile(const std::string &configHome, const std::string &home,
                           const std::string &name);

} // namespace skillhost::store
