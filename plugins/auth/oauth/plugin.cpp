// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of oauth.so.
#include "authenticator.hpp"
#include "schema.hpp"

SKH_PLUGIN(skh::auth<skillhost::oauth::Authenticator>(
    "org.skillhost.oauth", "1.0.0", "Access tokens that a provider is asked about",
    skillhost::oauth::schema, SKH_NETWORK));
