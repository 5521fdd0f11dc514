// SPDX-License-Identifier: Apache-2.0
// What `skillhost skill import` takes into a store: nothing that would be refused when it is
// served.
#pragma once

#include "app/configuration.hpp"
#include "options.hpp"
#include "store/store.hpp"

#include <string>

namespace skillhost {

struct Imported {
  std::string name;
  store::Saved saved;
  store::SignatureVerdict signature; // NotAsked: nobody has said whose count
  bool isSigned = false;             // by whomever
  bool isElsewhere = false; // the configuration has such sources, and none serves this store
};

// Held to what the command line trusts, and to what each source of the configuration does that
// serves this store by the plugin `store`. Throws std::runtime_error, and has touched nothing then.
Imported importSkill(const StoreSettings &told, const app::Configuration &configuration,
                     const store::Trust &trust, store::SaveOptions options);

} // namespace skillhost
