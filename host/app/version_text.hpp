// SPDX-License-Identifier: Apache-2.0
// The version of this program as people read it.
#pragma once

#include "app/surroundings.hpp"

#include <string>

namespace skillhost::app {

// "skillhost 0.1.0 (commit 0123456789ab)", without the part in brackets when the commit is unknown.
std::string versionText(const Surroundings &surroundings);

} // namespace skillhost::app
