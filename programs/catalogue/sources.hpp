// SPDX-License-Identifier: Apache-2.0
// Reports the state of each source for `source`, and for `update`, which also asks for new content.
#pragma once

#include "app/configuration.hpp"

#include <map>
#include <string>
#include <vector>

namespace skillhost::app {

struct WantedSources {
  std::vector<std::string> names; // empty: all
  bool json = false;
};

// Prints one line per source, or JSON. Returns the exit code, 0.
int listSources(const Configuration &configuration, const std::string &executable, bool json);

// Asks sources for new content, for as long as their deadlines allow, and prints everything known
// about them. Starts only the named ones. Returns exit code 1 if one of them failed or does not
// exist. `revisions` gets the served revision of each source by name.
int refreshSources(const Configuration &configuration, const std::string &executable,
                   const WantedSources &wanted,
                   std::map<std::string, std::string> *revisions = nullptr);

} // namespace skillhost::app
