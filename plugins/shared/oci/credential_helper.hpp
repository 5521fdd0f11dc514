// SPDX-License-Identifier: Apache-2.0
// Asks a credential helper of Docker's, a program docker-credential-NAME, for a login.
#pragma once

#include "credentials.hpp"

#include "remote/operation.hpp"

namespace skillhost::oci {

// Runs the helper of the login, found in PATH, for at most 30 s, and returns what it has; empty
// credentials if it says that it has none. When the time is up, it is killed with its process
// group. What it prints never appears in a message. The caller must block SIGPIPE. Throws what the
// operation throws, and remote::RemoteError if the helper fails.
Credentials askHelper(const Login &login, const remote::Operation &operation);

} // namespace skillhost::oci
