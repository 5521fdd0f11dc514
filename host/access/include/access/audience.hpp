// SPDX-License-Identifier: Apache-2.0
// Who sees one skill, by the rules of visibility: for managers, since it tells of other callers.
#pragma once

#include "access/visibility.hpp"

#include <vector>

namespace skillhost {

// Everybody, when there are no rules.
struct Audience {
  std::vector<VisibilityRule> rules;
  bool needsAll = false; // all of the rules must be satisfied, else one of them
};

Audience audienceOf(const Visibility::RulesPointer &rules, const Skill &skill);

} // namespace skillhost
