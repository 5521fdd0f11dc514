// SPDX-License-Identifier: Apache-2.0
// A plugin's settings as far as they decide what it has: another token makes no other skills.
#pragma once

#include "ground/json.hpp"

namespace skillhost::app {

void leaveOutSecrets(Json &config);

} // namespace skillhost::app
