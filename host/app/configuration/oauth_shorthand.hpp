// SPDX-License-Identifier: Apache-2.0
// The three OAuth settings that replace a whole section `auth`.
#pragma once

#include "app/configuration.hpp"

namespace skillhost::app {

// If a client id is set and no plugin is named, this selects the plugin oauth and passes the three
// settings to it. A member that auth.config already has stays. Tokens of such a provider do not
// contain scopes of ours, so reading requires none unless access.read_scope names one.
void expandOauth(AuthConfiguration &auth, AccessConfiguration &access);

} // namespace skillhost::app
