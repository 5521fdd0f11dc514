// SPDX-License-Identifier: Apache-2.0
// `skillhost login` and `skillhost logout`.
#pragma once

#include "connection/login.hpp"

namespace skillhost {

// Asks the person to sign in and keeps the tokens. The exit code; words go to standard error.
int signIn(const LoginSettings &settings);
int signOut(const LoginSettings &settings);

} // namespace skillhost
