// SPDX-License-Identifier: Apache-2.0
// Finds the certificates of the authorities that a system trusts.
#pragma once

#include <span>
#include <string>

namespace skillhost {

// Returns the files in which distributions keep them, the most common first.
std::span<const char *const> usualAuthorities();

// Returns the file of authorities to pass to a TLS library, or an empty text if its built-in file
// works. `builtIn` is that file (null: none). A program built on one distribution may run on
// another, which keeps the certificates elsewhere; then this is the first readable file of `usual`.
// A readable file in the variable SSL_CERT_FILE takes precedence over both.
std::string authoritiesInstead(const char *builtIn,
                               std::span<const char *const> usual = usualAuthorities());

} // namespace skillhost
