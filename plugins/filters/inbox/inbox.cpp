// SPDX-License-Identifier: Apache-2.0
#include "inbox/inbox.hpp"

#include <algorithm>

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

std::vector<std::string> skillsInside(const InboxSettings &settings, const Catalogue &catalogue,
                                      const std::string &name) {
  const std::string above = settings.prefix + name + '/';
  std::vector<std::string> inside;
  for (const CatalogueEntry &entry : catalogue.entries())
    if (entry.skill->source == settings.source && entry.skill->path.starts_with(above))
      inside.push_back(entry.skill->path.substr(above.size()));
  return inside;
}

void narrowTo(ProposalContent &content, const CatalogueEntry *entry) {
  content.obstacle.clear();
  const Proposal &proposal = content.proposal;
  // An approval may have replaced another skill than the one that is served now.
  const bool sees = entry != nullptr && (proposal.state != State::Approved || proposal.sawSkill);
  if (!sees) {
    content.before.reset();
    content.base.clear();
    content.isOutdated = false;
    content.isUnreadable = false;
    return;
  }
  if (!content.before) return;
  // The folder can have more than the source serves, such as what its rules exclude.
  const std::vector<std::string> &served = entry->skill->filePaths;
  std::erase_if(*content.before, [&](const auto &one) {
    return !std::binary_search(served.begin(), served.end(), one.first);
  });
  for (auto &[path, file] : *content.before)
    if (file.isLink) file.bytes = "a link"; // its target may be a path of this machine
  content.base = digestOf(*content.before);
}

} // namespace skillhost::inbox
