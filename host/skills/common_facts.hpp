// SPDX-License-Identifier: Apache-2.0
// What a source states of all its skills alike, made ready to be joined with what it states of one:
// that is done for every skill that is loaded or listed. Immutable once built.
#pragma once

#include "skills/provenance.hpp"

#include <string>

namespace skillhost {

class CommonFacts {
public:
  CommonFacts() = default;
  // Of the text of a JSON object; what is none states nothing.
  explicit CommonFacts(const std::string &facts);

  // As factsOf() of provenance.hpp.
  std::string of(const Skill &skill, LocalPaths paths) const;

private:
  std::string told_, hidden_; // members of an object, without "path": all; no path of this machine
  std::string beneath_;       // the path that is common to all; the skill's name follows
  bool hasPath_ = false;
};

} // namespace skillhost
