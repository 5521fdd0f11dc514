// SPDX-License-Identifier: Apache-2.0
// The inbox as the configuration describes it.
#pragma once

#include "app/configuration.hpp"
#include "inbox/proposal_check.hpp"
#include "inbox/proposal_store.hpp"
#include "skills/catalogue.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skillhost::inbox {

struct InboxSettings {
  StoreSettings store;
  ContentLimits limits;
  Strictness strictness = Strictness::Lenient;
  std::string scope;  // that proposers need; empty: none
  std::string source; // that serves approved skills
  std::string prefix; // of the paths of these skills within the source: "" or "FOLDER/"
};

// Returns nothing if nobody can propose. Throws std::runtime_error that names the wrong key.
std::optional<InboxSettings> inboxSettings(const app::Configuration &configuration);

// Returns the entry of the skill that the inbox may change under this name, as far as the catalogue
// shows it; null if there is none. Fails with Conflict if the name is that of another skill, whose
// place the inbox cannot write to.
Result<const CatalogueEntry *> changedEntry(const InboxSettings &settings,
                                            const Catalogue &catalogue, const std::string &name);

} // namespace skillhost::inbox
