// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of well_known.so.
#include "schema.hpp"
#include "source.hpp"

SKH_PLUGIN(skh::withExtensions<skh::FactsOps<skillhost::well_known::WellKnownSource>>(
    skh::source<skillhost::well_known::WellKnownSource>(
        "org.skillhost.well_known", "1.0.0",
        "Skills that a web server publishes in its well-known index", skillhost::well_known::schema,
        SKH_NETWORK)));
