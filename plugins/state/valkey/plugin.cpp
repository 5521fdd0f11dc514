// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of valkey.so.
#include "schema.hpp"
#include "state.hpp"

SKH_PLUGIN(skh::state<skillhost::valkey::ValkeyState>("org.skillhost.valkey", "1.0.0",
                                                      "Shared state in Valkey or Redis",
                                                      skillhost::valkey::schema, SKH_NETWORK));
