// SPDX-License-Identifier: Apache-2.0
// Finds the sources of a configuration that serve a store, and their rules for its skills.
#pragma once

#include "app/configuration.hpp"
#include "store/trust.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct StoreSource {
  std::string name;
  store::Trust trust;
};

// Returns the enabled sources with the plugin `store` and this directory; their settings are read
// as that plugin reads them. Throws std::runtime_error with the name of the source for a key that
// cannot be read.
std::vector<StoreSource> storeSources(const app::Configuration &configuration,
                                      const std::string &directory);

// Returns true if there is any such source, for any directory.
bool servesAnyStore(const app::Configuration &configuration);

} // namespace skillhost
