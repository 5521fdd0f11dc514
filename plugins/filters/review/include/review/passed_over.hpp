// SPDX-License-Identifier: Apache-2.0
// Names what lies in the folder of a skill and is none of its documents: no decision is about it,
// and no agent is given it with the skill. A reviewer has to know that it is there.
#pragma once

#include "review/reviewed_source.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct PassedOver {
  std::vector<std::string> names; // relative to the folder, sorted, at most 20; a folder ends in /
  bool isAll = true;              // false: there are more, or a folder could not be read
};

// Looks into the folders of documents alone: one without a document is named, however large it is.
// Names nothing if the skill has no folder on this machine; nor if not all of its files can be
// read, and then isAll is false.
PassedOver passedOver(const Review &review);

// Returns one line for people; it is empty if nothing is passed over.
std::string textOf(const PassedOver &found);

} // namespace skillhost
