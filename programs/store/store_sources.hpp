// SPDX-License-Identifier: Apache-2.0
// The sources of a configuration that serve a store, and what they hold its skills to.
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

// Those that are enabled, by the plugin `store`, and of this directory; their settings are read as
// that plugin reads them. Throws std::runtime_error, which names the source, for a key that cannot
// be read.
std::vector<StoreSource> storeSources(const app::Configuration &configuration,
                                      const std::string &directory);

// Any of them, of whatever directory?
bool servesAnyStore(const app::Configuration &configuration);

} // namespace skillhost
