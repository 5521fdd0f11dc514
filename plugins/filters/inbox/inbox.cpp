// SPDX-License-Identifier: Apache-2.0
#include "inbox/inbox.hpp"

namespace skillhost::inbox {

Result<const CatalogueEntry *> changedEntry(const InboxSettings &settings,
                                            const Catalogue &catalogue, const std::string &name) {
  const CatalogueEntry *const entry = catalogue.byName(name);
  if (entry == nullptr) return entry;
  if (entry->skill->source == settings.source && entry->skill->path == settings.prefix + name)
    return entry;
  return {Fault::Conflict, "the name is that of the skill " + entry->skill->id +
                               ", which cannot be changed by a proposal: propose another name, or "
                               "ask for the change where that skill is kept"};
}

} // namespace skillhost::inbox
