// SPDX-License-Identifier: Apache-2.0
// The three OAuth settings that stand for a whole section `auth`.
#pragma once

#include "app/configuration.hpp"

namespace skillhost::app {

// With a client id and no plugin named: the plugin oauth, told what the three say; what auth.config
// says itself stands. Tokens of such a provider know nothing of our scopes, so none is asked for to
// read.
void expandOauth(AuthConfiguration &auth, AccessConfiguration &access);

} // namespace skillhost::app
