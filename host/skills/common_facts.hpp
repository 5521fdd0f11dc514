// SPDX-License-Identifier: Apache-2.0
// Holds the facts that a source states about all its skills, prepared so that joining them with the
// facts of one skill is fast: that happens for every skill that is loaded or listed. Immutable
// after construction.
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
  std::string beneath_;                 // the common "path", which the path of the skill continues
  bool hasPath_ = false;
};

} // namespace skillhost
