// SPDX-License-Identifier: Apache-2.0
// Where a system keeps the certificates of the authorities that it trusts.
#pragma once

#include <span>
#include <string>

namespace skillhost {

// Files that distributions keep them in, the most common first.
std::span<const char *const> usualAuthorities();

// The file of authorities that a TLS library has to be told of; empty when what it was built with
// will do. `builtIn` is that file, as the library says (null: it has none). A program that was
// built on one distribution runs on another, which keeps them elsewhere: then the first of `usual`
// that can be read. What the variable SSL_CERT_FILE names goes before both, where it can be read.
std::string authoritiesInstead(const char *builtIn,
                               std::span<const char *const> usual = usualAuthorities());

} // namespace skillhost
