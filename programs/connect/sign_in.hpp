// SPDX-License-Identifier: Apache-2.0
// Implements `skillhost login` and `skillhost logout`.
#pragma once

#include "connection/login.hpp"

namespace skillhost {

// Asks the user to sign in and keeps the tokens. Returns the exit code; messages go to standard
// error.
int signIn(const LoginSettings &settings);
int signOut(const LoginSettings &settings);

} // namespace skillhost
