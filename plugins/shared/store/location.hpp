// SPDX-License-Identifier: Apache-2.0
// Where the store and its keys are when nobody says otherwise.
#pragma once

#include <string>

namespace skillhost::store {

// $XDG_DATA_HOME/skillhost/skills, else ~/.local/share/skillhost/skills; empty without either.
std::string defaultRoot(const std::string &dataHome, const std::string &home);

// $XDG_CONFIG_HOME/skillhost/NAME, else ~/.config/skillhost/NAME; empty without either.
std::string defaultKeyFile(const std::string &configHome, const std::string &home,
                           const std::string &name);

} // namespace skillhost::store
