// SPDX-License-Identifier: Apache-2.0
// How each source stands, for `source`, and for `update`, which asks for what is newest too.
#pragma once

#include "app/configuration.hpp"

#include <map>
#include <string>
#include <vector>

namespace skillhost::app {

struct AskedSources {
  std::vector<std::string> names; // empty: all
  bool json = false;
};

// Prints one line a source, or JSON. Returns the exit code, 0.
int listSources(const Configuration &configuration, const std::string &executable, bool json);

// Asks sources for what is newest, however long that takes within their deadlines, and prints all
// that is known of them; only the named ones are started. Exit code 1 when one of them failed or is
// not there. `revisions` gets what each serves now, by its name.
int refreshSources(const Configuration &configuration, const std::string &executable,
                   const AskedSources &asked,
                   std::map<std::string, std::string> *revisions = nullptr);

} // namespace skillhost::app
