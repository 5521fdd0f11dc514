// SPDX-License-Identifier: Apache-2.0
// skillhost source list | status | refresh: where skills come from, and how each source stands.
#pragma once

#include "catalogue_invocation.hpp"

#include <map>
#include <string>

namespace skillhost::app {

// One line a source, or JSON. Exit code 0.
int listSources(const CatalogueInvocation &invocation, const std::string &executable);
// All that is known of the source that invocation.sources names, or of all. Exit code 1 when one
// of them failed or is not there.
int showSources(const CatalogueInvocation &invocation, const std::string &executable);
// The same after each has been asked for what is newest, however long that takes within its
// deadline; only the named ones are started. `revisions` gets what each serves now, by its name.
int refreshSources(const CatalogueInvocation &invocation, const std::string &executable,
                   std::map<std::string, std::string> *revisions = nullptr);

} // namespace skillhost::app
