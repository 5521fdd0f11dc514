// SPDX-License-Identifier: Apache-2.0
// Imports a skill into a store for `skillhost skill import`, and refuses whatever would be refused
// when it is served.
#pragma once

#include "app/configuration.hpp"
#include "options.hpp"
#include "store/store.hpp"

#include <string>

namespace skillhost {

struct Imported {
  std::string name;
  store::Saved saved;
  store::SignatureVerdict signature; // NotAsked: no trusted keys are given
  bool isSigned = false;             // by anybody
  bool isElsewhere = false; // the configuration has such sources, but none serves this store
};

// Applies the trust of the command line, and that of each source of the configuration that serves
// this store with the plugin `store`. Throws std::runtime_error, and has then changed nothing.
Imported importSkill(const StoreSettings &settings, const app::Configuration &configuration,
                     const store::Trust &trust, store::SaveOptions options);

} // namespace skillhost
