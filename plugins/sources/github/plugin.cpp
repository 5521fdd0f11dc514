// SPDX-License-Identifier: Apache-2.0
// The entry point: the one exported symbol of github.so.
#include "schema.hpp"
#include "source.hpp"

SKH_PLUGIN(skh::withExtensions<skh::FactsOps<skillhost::github::GithubSource>>(
    skh::source<skillhost::github::GithubSource>("org.skillhost.github", "1.0.0",
                                                 "Skills from GitHub and from any git server",
                                                 skillhost::github::schema, SKH_NETWORK)));
