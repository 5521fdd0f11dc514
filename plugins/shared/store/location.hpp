// SPDX-License-Identifier: Apache-2.0
// Where the store is when nobody says otherwise.
#pragma once

#include <string>

namespace skillhost::store {

// $XDG_DATA_HOME/skillhost/skills, else ~/.local/share/skillhost/skills; empty without either.
std::string defaultRoot(const std::string &dataHome, const std::string &home);

} // namespace skillhost::store
