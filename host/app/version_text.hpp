// SPDX-License-Identifier: Apache-2.0
// The version of this program for people.
#pragma once

#include "app/surroundings.hpp"

#include <string>

namespace skillhost::app {

// Returns "skillhost 0.1.0 (commit 0123456789ab)", without the part in brackets if the commit is
// unknown.
std::string versionText(const Surroundings &surroundings);

} // namespace skillhost::app
