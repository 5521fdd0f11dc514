// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of filesystem.so.
#include "schema.hpp"
#include "source.hpp"

SKH_PLUGIN(skh::withExtensions<skh::FactsOps<skillhost::filesystem::FilesystemSource>>(
    skh::source<skillhost::filesystem::FilesystemSource>("org.skillhost.filesystem", "1.0.0",
                                                         "Skills from folders on this machine",
                                                         skillhost::filesystem::schema)));
