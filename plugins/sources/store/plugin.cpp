// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of store.so.
#include "schema.hpp"
#include "source.hpp"

SKH_PLUGIN(skh::withExtensions<skh::FactsOps<skillhost::store_source::StoreSource>>(
    skh::source<skillhost::store_source::StoreSource>("org.skillhost.store", "1.0.0",
                                                      "Skills from a store that verifies them",
                                                      skillhost::store_source::schema)));
