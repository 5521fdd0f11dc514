// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of jwt.so.
#include "authenticator.hpp"
#include "schema.hpp"

SKH_PLUGIN(skh::auth<skillhost::jwt::Authenticator>("org.skillhost.jwt", "1.0.0",
                                                    "Access tokens that an issuer has signed",
                                                    skillhost::jwt::schema, SKH_NETWORK));
