// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of oci.so.
#include "schema.hpp"
#include "source.hpp"

SKH_PLUGIN(skh::withExtensions<skh::FactsOps<skillhost::oci_source::OciSource>>(
    skh::source<skillhost::oci_source::OciSource>("org.skillhost.oci", "1.0.0",
                                                  "Skills from an OCI registry",
                                                  skillhost::oci_source::schema, SKH_NETWORK)));
