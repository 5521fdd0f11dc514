// SPDX-License-Identifier: Apache-2.0
// The settings of the inbox, and the skills that it may change.
#pragma once

#include "ground/result.hpp"
#include "inbox/proposal_check.hpp"
#include "inbox/proposal_store.hpp"
#include "skills/catalogue.hpp"

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

// Returns the entry of the skill that the inbox may change under this name, as far as the catalogue
// shows it; null if there is none. Fails with Conflict if the name is that of another skill, whose
// place the inbox cannot write to.
Result<const CatalogueEntry *> changedEntry(const InboxSettings &settings,
                                            const Catalogue &catalogue, const std::string &name);

// Returns the paths, below the skill's folder, of skills in it that the catalogue shows. An
// approval would remove them.
std::vector<std::string> skillsInside(const InboxSettings &settings, const Catalogue &catalogue,
                                      const std::string &name);

// Leaves only what somebody may see who does not review. `entry` is the skill as the catalogue
// shows it to that caller, or null.
void narrowTo(ProposalContent &content, const CatalogueEntry *entry);

} // namespace skillhost::inbox
