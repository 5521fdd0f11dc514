// SPDX-License-Identifier: Apache-2.0
// Removes secrets from a plugin's settings. The rest decides which skills it has: another token
// results in the same skills.
#pragma once

#include "ground/json.hpp"

namespace skillhost::app {

void leaveOutSecrets(Json &config);

} // namespace skillhost::app
