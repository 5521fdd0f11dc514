// SPDX-License-Identifier: Apache-2.0
// The facts that a source states of all its skills, prepared to be joined with those of one skill,
// because this happens for every skill that is loaded or listed. Immutable once built.
#pragma once

#include "skills/provenance.hpp"

#include <string>

namespace skillhost {

class CommonFacts {
public:
  CommonFacts() = default;
  // `facts` is the text of a JSON object; any other text states nothing.
  explicit CommonFacts(const std::string &facts);

  // Returns the same as factsOf() of provenance.hpp.
  std::string of(const Skill &skill, LocalPaths paths) const;

private:
  std::string all_, withoutLocalPaths_; // members except "path"
  std::string beneath_;                 // the common path; that of the skill follows
  bool hasPath_ = false;
};

} // namespace skillhost
