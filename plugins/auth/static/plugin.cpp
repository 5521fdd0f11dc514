// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of static.so.
#include "authenticator.hpp"
#include "schema.hpp"

SKH_PLUGIN(skh::auth<skillhost::statics::Authenticator>("org.skillhost.static", "1.0.0",
                                                        "Tokens from a file of their hashes",
                                                        skillhost::statics::schema));
